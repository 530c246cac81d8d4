/** OpenAI's API, for editors that are made for it: Zed, and plugins of others. */
import { randomUUID } from "node:crypto";
import { openaiCompletionHeaders, openaiCompletionRequest } from "@dhi/core/openai-protocol";
import { fimRequest } from "@dhi/core/protocol";
import { type Router, Router as router } from "express";
import type { Answering } from "../answering.ts";
import type { RunningConfig } from "../model/running-config.ts";
import { createChunks } from "../openai-shim/completion-chunks.ts";
import { toFimRequest } from "../openai-shim/to-fim-request.ts";
import { serverSentEvents } from "../server-sent-events.ts";
import type { Workspaces } from "../workspaces.ts";
import { parse, signalOf } from "./exchange.ts";

export interface OpenaiRouteDeps {
  readonly running: Pick<RunningConfig, "now">;
  readonly workspaces: Workspaces;
}

export function openaiRoutes({ running, workspaces }: OpenaiRouteDeps, { place, answer }: Answering): Router {
  const routes = router();

  routes.get("/v1/models", (_request, response) => {
    const { model } = running.now.engine;
    const one = { id: model, object: "model", created: 0, owned_by: "dhi" };
    response.json({ object: "list", data: [one] });
  });

  routes.post("/v1/completions", async (request, response) => {
    const body = parse(openaiCompletionRequest, request.body);
    const headers = parse(openaiCompletionHeaders, request.headers);
    const placed = place(fimRequest.parse(toFimRequest(body, headers, workspaces)));
    const head = { id: `cmpl-${randomUUID()}`, model: placed.serving.engine.model, now: Date.now() };
    const chunks = createChunks(body, head);
    const signal = signalOf(response);
    if (!body.stream) {
      response.json(chunks.end(await answer(placed, signal)));
      return;
    }
    const events = serverSentEvents(response);
    const done = await answer(placed, signal, (piece) => {
      const chunk = "text" in piece && chunks.piece(piece.text);
      if (chunk) events.send(chunk);
    });
    events.send(chunks.end(done));
    response.end("data: [DONE]\n\n");
  });

  return routes;
}
