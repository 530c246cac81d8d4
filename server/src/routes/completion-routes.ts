/** Completions, and what one would send to the model. */
import { completeRequest, fimRequest, promptRequest } from "@dhi/core/protocol";
import { type Router, Router as router } from "express";
import type { Answering } from "../answering.ts";
import { dryRun } from "../dry-run.ts";
import { serverSentEvents } from "../server-sent-events.ts";
import { parse, signalOf } from "./exchange.ts";

export function completionRoutes({ place, answer }: Answering): Router {
  const routes = router();

  routes.post("/complete", async (request, response) => {
    const { file_path, language, ...rest } = parse(completeRequest, request.body);
    const body = fimRequest.parse({ ...rest, path: file_path, languageId: language });
    const { completion } = await answer(place(body, "file_path"), signalOf(response));
    response.json({ completion });
  });

  routes.post("/v1/fim", async (request, response) => {
    const body = place(parse(fimRequest, request.body));
    const events = serverSentEvents(response);
    const signal = signalOf(response);
    events.send(await answer(body, signal, events.send));
    const { ahead, alternative, sessionId } = body.request;
    if (ahead && !alternative && sessionId !== undefined)
      await body.deps.writer.watchAhead(sessionId, signal);
    events.end();
  });

  routes.post("/v1/prompt", async (request, response) => {
    const { request: body, deps } = place(parse(promptRequest, request.body));
    response.json(await dryRun(body, deps, signalOf(response)));
  });

  return routes;
}
