/** The pipeline, on one screen: retrieval ─► prompt ─► engine ─► postprocess. */
import type { EngineName, FimDone, FimRequest, Source } from "@dhi/core/protocol";
import type { Engine } from "./engines/engine.ts";
import { linesOf } from "./generation/lines.ts";
import { placeOf } from "./generation/place-of.ts";
import type { Queue } from "./generation/queue.ts";
import type { Writer, Written } from "./generation/writer.ts";
import { isOneLine } from "./postprocess/cursor-line.ts";
import { postprocess } from "./postprocess/postprocess.ts";
import { leaksOf } from "./prompt/fim-format.ts";
import { type PromptDeps, promptFor, sourceOf } from "./prompt/prompt-for.ts";
import { stopwatch } from "./stopwatch.ts";

export interface CompletionDeps extends PromptDeps {
  readonly engine: (request: FimRequest) => Engine;
  readonly queue: (engine: Engine) => Queue;
  readonly writer: Writer<Call>;
  /** Where the names of a completion are defined: the sources of an engine that reads no prompt. */
  readonly definedIn: (request: FimRequest, completion: string) => Source[];
  /** Most tokens a completion may have; a request can ask for fewer. */
  readonly maxTokens: number;
  /** Of the model's profile, in nats: a completion below it is not shown. */
  readonly minMeanLogprob?: number | undefined;
}

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

/** An answer, but for what the engine was spared. */
export type Completion = Omit<FimDone, "step" | "debounceMs">;

/**
 * Completes the code at the cursor. What a call for an earlier keystroke wrote, or is writing, is used before a new one is
 * made.
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
  const maxTokens = Math.min(request.maxTokens ?? deps.maxTokens, deps.maxTokens);
  const lines = linesOf(request);
  // What stands right of the cursor allows one line, so no token is spent on a second.
  const oneLine = isOneLine(request);
  const stop = oneLine ? ["\n", ...format.stop] : format.stop;
  const engine = deps.engine(request);
  const queue = deps.queue(engine);
  const session = request.sessionId ?? requestId;
  const about: Call = { engine, asked: engine.name, sources: [] };

  async function call(onPiece: (piece: string) => void, ended: AbortSignal) {
    const built = await promptFor(request, deps, engine.readsPrompt ? mode : "raw", watch, ended);
    about.sources = built.used.map(sourceOf);
    const generate = () => {
      watch.lap("queue");
      return engine.generate({ prompt: built.prompt, request }, { stop, maxTokens, onText: onPiece }, ended);
    };
    return queue.run(session, generate, ended);
  }

  const place = placeOf(request, engine, { format, mode, maxTokens, oneLine });
  const { enough } = lines;
  const mayGoOn = () => queue.waiting === 0;
  const order = { place, session, about, call, enough, mayGoOn, onText, takeOver };
  const written = await deps.writer.write(order, signal);
  watch.lap("engine");

  const { text, reason } = postprocess(written.text, {
    request: { ...request, ...lines.shown(written) },
    stop: leaksOf(format),
    promptPaths: [request.path, ...written.about.sources.map(({ path }) => path)],
    meanLogprob: written.generated?.meanLogprob ?? null,
    minMeanLogprob: deps.minMeanLogprob,
  });
  watch.lap("postprocess");
  return {
    ...{ done: true, requestId, completion: text, reason, mode, format: format.id },
    ...describe(written),
    sources: written.about.engine.readsPrompt ? [...written.about.sources] : deps.definedIn(request, text),
    timings: { ...watch.laps(), firstToken: written.firstTextMs, total: watch.total() },
  };
}

/** Who wrote it, and what the engine said of it; it says nothing when the text was enough before its end. */
const describe = ({ about: { engine }, generated, reuse }: Written<Call>) => ({
  ...{ engine: engine.name, model: engine.model, reuse },
  finish: generated?.finish ?? ("stop" as const),
  meanLogprob: generated?.meanLogprob ?? null,
  confidence: generated?.confidence ?? null,
  usage: generated?.usage ?? { promptTokens: null, cachedTokens: null, completionTokens: null },
});
