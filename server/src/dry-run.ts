/** `POST /v1/prompt`: a completion up to the engine, which is not called: what would be sent, and why. */
import type { PromptRequest, PromptResponse } from "@dhi/core/protocol";
import type { CompletionDeps } from "./complete.ts";
import { builtBefore, wordToWrite } from "./prompt/heal.ts";
import { type PromptDeps, promptFor, sourceOf } from "./prompt/prompt-for.ts";
import { stopwatch } from "./stopwatch.ts";

/** @throws AbortError when the signal fires */
export async function dryRun(
  request: PromptRequest,
  deps: PromptDeps & Pick<CompletionDeps, "engine">,
  signal: AbortSignal,
): Promise<PromptResponse> {
  const watch = stopwatch();
  const built = await promptFor(request, deps, request.mode ?? deps.mode, watch, signal);
  const { used, retrieval } = built;
  const begun = wordToWrite(request.prefix, deps.engine(request), deps.format);
  const { prompt, parts, tokens } = builtBefore(built, begun.length, deps.format);
  const laps = watch.laps();
  return {
    prompt,
    format: deps.format.id,
    parts: [...parts],
    ...(begun && { begun }),
    sources: used.map((snippet) => ({
      ...{ ...sourceOf(snippet), text: snippet.text, form: snippet.form },
      pieces: [...snippet.pieces],
    })),
    candidates: [...retrieval.found].flatMap(([leg, found]) =>
      found.map(({ path, startLine, endLine, score }) => ({ leg, path, startLine, endLine, score })),
    ),
    late: [...retrieval.late],
    tokens,
    timings: {
      retrieval: laps.retrieval,
      prompt: laps.prompt,
      legs: [...retrieval.legMs].map(([leg, ms]) => ({ leg, ms })),
    },
  };
}
