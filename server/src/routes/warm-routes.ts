/** An editor says that somebody is about to type. */
import { fimRequest, type WarmRequest, warmRequest } from "@dhi/core/protocol";
import { type Router, Router as router } from "express";
import type { Answering } from "../answering.ts";
import { mayAskAhead } from "../ask-ahead.ts";
import { planCall } from "../call.ts";
import type { Engine } from "../engines/engine.ts";
import type { WarmUps } from "../generation/warm-ups.ts";
import { stopwatch } from "../stopwatch.ts";
import { parse } from "./exchange.ts";

export interface WarmRouteDeps {
  readonly warmUps: WarmUps;
  readonly running: { readonly now: { readonly engine: Engine } };
}

export function warmRoutes({ place }: Answering, { warmUps, running }: WarmRouteDeps): Router {
  const routes = router();
  routes.post("/v1/warm", (request, response) => {
    const body = parse(warmRequest, request.body ?? {});
    if (body.contextOnly) {
      const lookAhead = lookingAhead(body);
      lookAhead?.();
      return void response.json({ state: lookAhead ? "warming" : "off" });
    }
    const readAhead = readingAhead(body);
    const { state, done } = warmUps.begin(running.now.engine);
    if (state !== "off" && readAhead) void done.then(readAhead);
    response.json({ state });
  });

  /**
   * @returns has the engine read what a completion at the cursor would have it read, if it has nothing else to do;
   * `undefined` when no cursor is known, or nobody whose next keystroke could end it
   * @throws {HttpError} as {@link Answering.place}, here and below
   */
  function readingAhead(body: WarmRequest): (() => void) | undefined {
    const placed = placeOf(body);
    if (!placed) return undefined;
    const { request, deps, serving, session } = placed;
    return () => {
      // Ollama would load the model again that was left meanwhile.
      if (running.now.engine !== serving.engine || !mayAskAhead(request, deps)) return;
      const { step, request: bearable, deps: bearing } = serving.degrade.apply(request, deps);
      // What cannot keep up with the keystrokes has no time for this.
      if (step === "instant" || step === "skip") return;
      const options = { session, mode: bearing.mode, watch: stopwatch(), maxTokens: 1 };
      bearing.writer.writeAhead(planCall(bearable, bearing, options));
    };
  }
  /** @returns looks for what a completion at the cursor would show of other files; `undefined` where none would */
  function lookingAhead(body: WarmRequest): (() => void) | undefined {
    const placed = placeOf(body);
    if (!placed?.serving.engine.readsPrompt) return undefined;
    const { request, deps } = placed;
    // Ended by the session's next request. It fails as that one would, which says so.
    return () => void deps.retrieve(request, deps.mode, AbortSignal.timeout(LOOK_MS)).catch(() => {});
  }

  function placeOf({ path, prefix, sessionId, contextOnly: _, ...body }: WarmRequest) {
    if (path === undefined) return undefined;
    const placed = place(fimRequest.parse({ ...body, path, sessionId, prefix: prefix ?? "" }));
    return prefix === undefined || sessionId === undefined ? undefined : { ...placed, session: sessionId };
  }
  return routes;
}

/** Longer than any look at a place is worth. */
const LOOK_MS = 10_000;
