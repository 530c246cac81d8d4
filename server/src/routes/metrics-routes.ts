/** Figures for Prometheus. */
import { type Router, Router as router } from "express";
import type { Metrics } from "../metrics/metrics.ts";

export function metricsRoutes(metrics: Metrics): Router {
  const routes = router();
  routes.get("/metrics", async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  return routes;
}
