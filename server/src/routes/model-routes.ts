/** Models: what fits this machine, and what Ollama is to have. */
import { pullRequest } from "@dhi/core/config-protocol";
import { type Router, Router as router } from "express";
import { describeMachine, type MachineDeps } from "../machine/machine.ts";
import { pullModel } from "../model/pull.ts";
import { serverSentEvents } from "../server-sent-events.ts";
import { parse, signalOf } from "./exchange.ts";

export function modelRoutes(deps: MachineDeps): Router {
  const { OLLAMA_HOST } = deps.config;
  const routes = router();
  routes.get("/v1/machine", async (_request, response) => {
    response.json(await describeMachine(deps, signalOf(response)));
  });
  routes.post("/v1/models/pull", async (request, response) => {
    const { model } = parse(pullRequest, request.body);
    const events = serverSentEvents(response);
    for await (const progress of pullModel(OLLAMA_HOST, model, signalOf(response))) events.send(progress);
    events.end();
  });
  return routes;
}
