/** How the server is, and what it can be asked. */
import { type Router, Router as router } from "express";
import { openapi } from "../api.ts";
import { type HealthDeps, health } from "../health.ts";
import { type StatusDeps, status } from "../status.ts";
import { signalOf } from "./exchange.ts";

export function statusRoutes(deps: HealthDeps & StatusDeps): Router {
  const routes = router();
  routes.get("/openapi.json", (_request, response) => {
    response.json(openapi());
  });
  routes.get("/health", async (_request, response) => {
    const report = await health(deps, signalOf(response));
    response.status(report.status === "ok" || report.status === "degraded" ? 200 : 503).json(report);
  });
  routes.get("/v1/status", async (_request, response) => {
    response.json(await status(deps, signalOf(response)));
  });
  return routes;
}
