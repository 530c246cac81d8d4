/** What may change while the server runs. */
import { configRequest } from "@dhi/core/config-protocol";
import { type Router, Router as router } from "express";
import type { RunningConfig } from "../model/running-config.ts";
import { parse, signalOf } from "./exchange.ts";

export function configRoutes(running: RunningConfig): Router {
  const routes = router();
  routes.get("/v1/config", async (_request, response) => {
    response.json(await running.describe(signalOf(response)));
  });
  routes.put("/v1/config", async (request, response) => {
    const signal = signalOf(response);
    await running.change(parse(configRequest, request.body), signal);
    response.json(await running.describe(signal));
  });
  return routes;
}
