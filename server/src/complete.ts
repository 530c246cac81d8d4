/** The pipeline, on one screen. */
import type { ContextMode, FimDone, FimRequest, PromptRequest, PromptResponse } from "@dhi/core/protocol";
import type { Engine } from "./engines/engine.ts";
import { postprocess } from "./postprocess/postprocess.ts";
import { type BuiltPrompt, buildPrompt } from "./prompt/build-prompt.ts";
import type { FimFormat } from "./prompt/fim-format.ts";
import type { Retrieve } from "./retrieval/retrieve.ts";
import { type Stopwatch, stopwatch } from "./stopwatch.ts";

export interface CompletionDeps {
  readonly retrieve: Retrieve;
  readonly engine: (request: FimRequest) => Engine;
  readonly format: FimFormat;
  readonly mode: ContextMode;
  /** Tokens a prompt may have. */
  readonly budgetTokens: number;
  /** Most tokens a completion may have; a request can ask for fewer. */
  readonly maxTokens: number;
  readonly repoName: () => string;
}

export interface CompleteOptions {
  readonly requestId: string;
  /** Called with each piece as the engine writes it; the answer's `completion` may be shorter. */
  readonly onText?: (text: string) => void;
}

/**
 * Completes the code at the cursor: retrieve → prompt → engine → postprocess.
 *
 * @param signal fires when the editor no longer wants the answer; every stage stops with it
 * @throws {UpstreamError} from the engine only: a failed retrieval just means no snippets
 */
export async function complete(
  request: FimRequest,
  deps: CompletionDeps,
  { requestId, onText }: CompleteOptions,
  signal: AbortSignal,
): Promise<FimDone> {
  const watch = stopwatch();
  const engine = deps.engine(request);
  const { built, mode } = await contextFor(request, deps, watch, signal);
  const generated = await engine.generate(
    { prompt: built.prompt, request },
    {
      stop: deps.format.stop,
      maxTokens: Math.min(request.maxTokens ?? deps.maxTokens, deps.maxTokens),
      ...(onText && { onText }),
    },
    signal,
  );
  watch.lap("engine");
  const { text, reason } = postprocess(generated.text, { request, stop: deps.format.stop });
  watch.lap("postprocess");
  return {
    done: true,
    requestId,
    completion: text,
    reason,
    engine: engine.name,
    model: engine.model,
    mode,
    format: deps.format.id,
    finish: generated.finish,
    meanLogprob: generated.meanLogprob,
    confidence: generated.confidence,
    sources: built.used.map(({ text: _, ...source }) => source),
    usage: generated.usage,
    timings: { queue: 0, ...watch.laps(), firstToken: generated.firstTokenMs, total: watch.total() },
  };
}

/** The same up to the engine, which is not called: what would be sent, and why. */
export async function dryRun(
  request: PromptRequest,
  deps: CompletionDeps,
  signal: AbortSignal,
): Promise<PromptResponse> {
  const watch = stopwatch();
  const { built } = await contextFor(request, deps, watch, signal);
  const { prompt, parts, used, tokens } = built;
  const { retrieval, prompt: rendering } = watch.laps();
  return {
    prompt,
    format: deps.format.id,
    parts: [...parts],
    sources: [...used],
    tokens,
    timings: { retrieval, prompt: rendering },
  };
}

async function contextFor(
  request: PromptRequest,
  { retrieve, format, mode: defaultMode, budgetTokens, repoName }: CompletionDeps,
  watch: Stopwatch,
  signal: AbortSignal,
): Promise<{ mode: ContextMode; built: BuiltPrompt }> {
  const mode = request.mode ?? defaultMode;
  const snippets = await retrieve(request, mode, signal);
  watch.lap("retrieval");
  const built = buildPrompt({
    request,
    snippets,
    format,
    mode,
    budgetTokens: request.budgetTokens ?? budgetTokens,
    repoName: repoName(),
  });
  watch.lap("prompt");
  return { mode, built };
}
