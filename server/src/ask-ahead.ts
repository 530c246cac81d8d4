/** What an editor is going to ask for once it accepts what it got, asked of an engine that has nothing else to do. */
import type { FimRequest } from "@dhi/core/protocol";
import { planCall } from "./call.ts";
import type { CompletionDeps } from "./complete.ts";
import { unchanged } from "./prompt/layouts.ts";
import { stopwatch } from "./stopwatch.ts";

/** Whatever else the editor asks for ends it. */
export function askAhead(request: FimRequest, accepted: string, deps: CompletionDeps): void {
  const { sessionId: session, mode = deps.mode } = request;
  if (session === undefined || deps.asksAhead === false || !mayAskAhead(request, deps)) return;
  const next = { ...request, prefix: request.prefix + accepted };
  const options = { session, mode, watch: stopwatch(), maxTokens: deps.maxTokens };
  deps.writer.writeAhead(planCall(next, { ...deps, layouts: unchanged(deps.layouts) }, options));
}

/** Whether the engine has nothing else to do, and may do what nobody waits for. */
export function mayAskAhead(request: FimRequest, deps: Pick<CompletionDeps, "engine" | "queue">): boolean {
  const engine = deps.engine(request);
  return engine.readsPrompt && !engine.isPaid && deps.queue(engine).isIdle;
}
