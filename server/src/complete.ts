/** The pipeline, on one screen. */
import type {
  ContextMode,
  EngineName,
  FimDone,
  FimRequest,
  PromptRequest,
  PromptResponse,
  Source,
} from "@dhi/core/protocol";
import type { Engine } from "./engines/engine.ts";
import type { Place } from "./generation/generations.ts";
import { linesOf } from "./generation/lines.ts";
import type { Queue } from "./generation/queue.ts";
import type { Writer } from "./generation/writer.ts";
import { isOneLine } from "./postprocess/cursor-line.ts";
import { postprocess } from "./postprocess/postprocess.ts";
import { type BuiltPrompt, buildPrompt, type UsedSnippet } from "./prompt/build-prompt.ts";
import { type FimFormat, leaksOf } from "./prompt/fim-format.ts";
import type { Layouts } from "./prompt/layouts.ts";
import type { Retrieval, Retrieve } from "./retrieval/retrieve.ts";
import { type Stopwatch, stopwatch } from "./stopwatch.ts";

export interface CompletionDeps {
  readonly retrieve: Retrieve;
  /** What stood in the last prompts of each editor. */
  readonly layouts: Layouts;
  /** Where the names of a completion are defined: the sources of an engine that reads no prompt. */
  readonly definedIn: (request: FimRequest, completion: string) => Source[];
  readonly engine: (request: FimRequest) => Engine;
  readonly queue: (engine: Engine) => Queue;
  readonly writer: Writer<Call>;
  readonly format: FimFormat;
  readonly mode: ContextMode;
  /** Tokens a prompt may have. */
  readonly budgetTokens: number;
  /** Most tokens a completion may have; a request can ask for fewer. */
  readonly maxTokens: number;
  /** Of the workspace, for formats that name the repository. */
  readonly repoName: string;
  /** Of the model's profile. */
  readonly minMeanLogprob?: number | undefined;
}

/** An answer, but for what the engine was spared. */
export type Completion = Omit<FimDone, "step" | "debounceMs">;

/** What is known of one call of an engine: its text may be the answer to several requests. */
export interface Call {
  readonly engine: Engine;
  /** The one that was asked; with ENGINE=auto another may have answered. */
  readonly asked: EngineName;
  sources: readonly Source[];
}

/** What the tier without a model wrote while the model was away is no answer once that is back. */
export const mayBeReused = ({ engine, asked }: Call): boolean => engine.name === asked;

export interface CompleteOptions {
  readonly requestId: string;
  /** Called once an older request of the same session may end. */
  readonly takeOver: () => void;
  /** Called with each piece as the engine writes it; the answer's `completion` may be shorter. */
  readonly onText?: (text: string) => void;
}

/**
 * Completes the code at the cursor: retrieve → prompt → engine → postprocess. What a call for an earlier keystroke wrote,
 * or is writing, is used before a new one is made.
 *
 * @param signal fires when the editor no longer wants the answer; every stage stops with it
 * @throws {UpstreamError} from the engine only: a failed retrieval just means no snippets
 */
export async function complete(
  request: FimRequest,
  deps: CompletionDeps,
  { requestId, takeOver, onText }: CompleteOptions,
  signal: AbortSignal,
): Promise<Completion> {
  const watch = stopwatch();
  const { format } = deps;
  const mode = request.mode ?? deps.mode;
  const session = request.sessionId ?? requestId;
  const asked = deps.engine(request);
  const about: Call = { engine: asked, asked: asked.name, sources: [] };
  const lines = linesOf(request);
  // What stands right of the cursor allows one line, so no token is spent on a second.
  const oneLine = isOneLine(request);
  const stop = oneLine ? ["\n", ...format.stop] : format.stop;
  const maxTokens = Math.min(request.maxTokens ?? deps.maxTokens, deps.maxTokens);

  const written = await deps.writer.write(
    {
      ...{ place: placeOf(request, about.engine, { format, mode, oneLine, maxTokens }), session, about },
      ...{ enough: lines.enough, onText, takeOver },
      mayGoOn: () => deps.queue(about.engine).waiting === 0,
      async call(onPiece, ended) {
        const { engine } = about;
        const { built } = await promptFor(request, deps, engine.readsPrompt ? mode : "raw", watch, ended);
        about.sources = built.used.map(sourceOf);
        const generate = () => {
          watch.lap("queue");
          return engine.generate(
            { prompt: built.prompt, request },
            { stop, maxTokens, onText: onPiece },
            ended,
          );
        };
        return deps.queue(engine).run(session, generate, ended);
      },
    },
    signal,
  );
  watch.lap("engine");
  const { engine, sources } = written.about;
  const { generated, reuse } = written;
  const shown = { ...request, ...lines.shown(written) };
  const { text, reason } = postprocess(written.text, {
    request: shown,
    stop: leaksOf(format),
    promptPaths: [request.path, ...sources.map(({ path }) => path)],
    meanLogprob: generated?.meanLogprob ?? null,
    minMeanLogprob: deps.minMeanLogprob,
  });
  watch.lap("postprocess");
  return {
    done: true,
    requestId,
    completion: text,
    reason,
    engine: engine.name,
    model: engine.model,
    mode,
    format: format.id,
    reuse,
    finish: generated?.finish ?? "stop",
    meanLogprob: generated?.meanLogprob ?? null,
    confidence: generated?.confidence ?? null,
    sources: engine.readsPrompt ? [...sources] : deps.definedIn(request, text),
    usage: generated?.usage ?? { promptTokens: null, cachedTokens: null, completionTokens: null },
    timings: { ...watch.laps(), firstToken: written.firstTextMs, total: watch.total() },
  };
}

/** The same up to the engine, which is not called: what would be sent, and why. */
export async function dryRun(
  request: PromptRequest,
  deps: CompletionDeps,
  signal: AbortSignal,
): Promise<PromptResponse> {
  const watch = stopwatch();
  const mode = request.mode ?? deps.mode;
  const { built, retrieval } = await promptFor(request, deps, mode, watch, signal);
  const { prompt, parts, used, tokens } = built;
  const laps = watch.laps();
  return {
    prompt,
    format: deps.format.id,
    parts: [...parts],
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

async function promptFor(
  request: PromptRequest,
  { retrieve, layouts, format, budgetTokens, repoName }: CompletionDeps,
  mode: ContextMode,
  watch: Stopwatch,
  signal: AbortSignal,
): Promise<{ built: BuiltPrompt; retrieval: Retrieval }> {
  const retrieval = await retrieve(request, mode, signal);
  watch.lap("retrieval");
  const before = layouts.before(request);
  const built = buildPrompt({
    request,
    snippets: retrieval.snippets,
    format,
    mode,
    budgetTokens: request.budgetTokens ?? budgetTokens,
    ...(request.contextTokens !== undefined && { contextTokens: request.contextTokens }),
    repoName,
    ...(before && { before }),
  });
  layouts.keep(request, built.blocks);
  watch.lap("prompt");
  return { built, retrieval };
}

/** Two requests with the same scope may share a call. */
function placeOf(
  { workspace, path, languageId, prefix, suffix, engine, legs, contextTokens }: FimRequest,
  { name, model }: Engine,
  {
    format,
    mode,
    oneLine,
    maxTokens,
  }: Pick<CompletionDeps, "format" | "mode" | "maxTokens"> & {
    readonly oneLine: boolean;
  },
): Place {
  const file = [workspace, path, languageId];
  const asked = [engine, name, model, format.id, format.stop, mode, maxTokens, legs, contextTokens];
  return { scope: JSON.stringify([...file, ...asked]), prefix, suffix, oneLine };
}

const sourceOf = ({ path, startLine, endLine, legs, score, tokens }: UsedSnippet): Source => ({
  path,
  startLine,
  endLine,
  legs,
  score,
  tokens,
});
