/** Models that Ollama is to have. */
import { pullRequest } from "@dhi/core/config-protocol";
import { type Router, Router as router } from "express";
import type { ServerConfig } from "../config.ts";
import { pullModel } from "../model/pull.ts";
import { serverSentEvents } from "../server-sent-events.ts";
import { parse, signalOf } from "./exchange.ts";

export function modelRoutes({ OLLAMA_HOST }: Pick<ServerConfig, "OLLAMA_HOST">): Router {
  const routes = router();
  routes.post("/v1/models/pull", async (request, response) => {
    const { model } = parse(pullRequest, request.body);
    const events = serverSentEvents(response);
    for await (const progress of pullModel(OLLAMA_HOST, model, signalOf(response))) events.send(progress);
    events.end();
  });
  return routes;
}
