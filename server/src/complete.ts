/** The pipeline, on one screen: retrieval ─► prompt ─► engine ─► postprocess. */
import type { FimDone, FimPreview, FimRequest, Source } from "@dhi/core/protocol";
import { unlessRepeated } from "./alternative.ts";
import { type Call, mayAskAhead, planCall } from "./call.ts";
import type { Engine } from "./engines/engine.ts";
import { type Lines, linesOf } from "./generation/lines.ts";
import type { Queue } from "./generation/queue.ts";
import type { Writer, Written } from "./generation/writer.ts";
import { INSTANT } from "./instant/instant-engine.ts";
import { createDrawing } from "./postprocess/drawing.ts";
import { postprocess } from "./postprocess/postprocess.ts";
import type { StepContext } from "./postprocess/step.ts";
import { sendPreview } from "./preview.ts";
import { leaksOf } from "./prompt/fim-format.ts";
import { unchanged } from "./prompt/layouts.ts";
import type { PromptDeps } from "./prompt/prompt-for.ts";
import { type Stopwatch, stopwatch } from "./stopwatch.ts";

export interface CompletionDeps extends PromptDeps {
  readonly engine: (request: FimRequest) => Engine;
  readonly queue: (engine: Engine) => Queue;
  readonly writer: Writer<Call>;
  /** Where the names of a completion are defined: the sources of an engine that reads no prompt. */
  readonly definedIn: (request: FimRequest, completion: string) => Source[];
  /** Most tokens a completion may have; a request can ask for fewer. */
  readonly maxTokens: number;
  /** Left out: the engine may be asked, while it has nothing to do, for what is wanted once a completion is accepted. */
  readonly asksAhead?: boolean;
  /** Of the model's profile, in nats: a completion below it is not shown. */
  readonly minMeanLogprob?: number | undefined;
}

export interface CompleteOptions {
  readonly requestId: string;
  /** Gets the laps of the completion. */
  readonly watch?: Stopwatch;
  /** Called once an older request of the same session may end. */
  readonly takeOver: () => void;
  /** Called with pieces of the answer's `completion` as soon as they are sure to be in it; they add up to it. */
  readonly onText?: (text: string) => void;
  /** Called at most once, before all text, while a model has written nothing yet. */
  readonly onPreview?: ((preview: FimPreview) => void) | undefined;
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
  { requestId, takeOver, onText, onPreview, watch = stopwatch() }: CompleteOptions,
  signal: AbortSignal,
): Promise<Completion> {
  const mode = request.mode ?? deps.mode;
  const session = request.sessionId ?? requestId;
  const lines = linesOf(request);
  const drawing = createDrawing();
  const judge = (written: Written<Call>) =>
    postprocess(written.text, contextOf(written, request, lines, deps));
  const draw = (piece: string) => piece && onText?.(piece);

  const { others, ...planned } = planCall(request, deps, { session, mode, watch, maxTokens: deps.maxTokens });
  const order = {
    ...{ ...planned, enough: lines.enough, takeOver },
    onText(soFar: Written<Call>) {
      preview?.end();
      // One more answer may turn out to be known already, and what was drawn can't be taken back.
      if (!planned.isBeside) draw(drawing.grow(soFar.text, (text) => judge({ ...soFar, text })));
    },
  };
  const preview =
    onPreview && !planned.isBeside
      ? sendPreview(() => previewOf(request, order.about, deps), onPreview)
      : undefined;
  const written = await deps.writer.write(order, signal).finally(() => preview?.end());
  watch.lap("engine");
  const known = others.flatMap((place) => deps.writer.known(place) ?? []);
  const { shown, rest } = drawing.end(
    unlessRepeated(judge(written), known, (text) => judge({ ...written, text })),
  );
  // A model that has nothing to say does not say that the guess is wrong, and what is drawn is not to flicker.
  const standing = shown.text === "" ? preview?.sent : undefined;
  draw(standing?.preview ?? rest);
  watch.lap("postprocess");

  const { text, reason } = standing ? { text: standing.preview, reason: "ok" } : shown;
  if (text && !planned.isBeside) askAhead({ ...request, prefix: request.prefix + text }, deps);
  return {
    ...{ done: true, requestId, completion: text, reason, mode, format: deps.format.id },
    ...{ ...describe(written), meanLogprob: sureness(written, lines) },
    ...(standing && { engine: INSTANT.name, model: INSTANT.model, confidence: standing.confidence }),
    sources:
      written.about.engine.readsPrompt && !standing
        ? [...written.about.sources]
        : deps.definedIn(request, text),
    timings: { ...watch.laps(), firstToken: written.firstTextMs, total: watch.total() },
  };
}

/** What an editor is going to ask for, should it accept what it got; whatever else it asks for ends this. */
function askAhead(request: FimRequest, deps: CompletionDeps): void {
  const { sessionId: session, mode = deps.mode } = request;
  if (session === undefined || deps.asksAhead === false || !mayAskAhead(request, deps)) return;
  const options = { session, mode, watch: stopwatch(), maxTokens: deps.maxTokens };
  deps.writer.writeAhead(planCall(request, { ...deps, layouts: unchanged(deps.layouts) }, options));
}

/** A guess where the call's engine is a model, as far as it is worth showing. */
async function previewOf(
  request: FimRequest,
  { engine }: Call,
  { format }: CompletionDeps,
): Promise<FimPreview | undefined> {
  const guess = engine.readsPrompt ? await engine.preview?.(request) : undefined;
  if (!guess) return undefined;
  const about = {
    request: { ...request, singleLine: true },
    stop: leaksOf(format),
    promptPaths: [request.path],
  };
  const { text } = postprocess(guess.preview, about);
  return text === "" ? undefined : { ...guess, preview: text };
}

/** What post-processing is to know of a text and its writer. */
function contextOf(
  written: Written<Call>,
  request: FimRequest,
  lines: Lines,
  { format, minMeanLogprob }: CompletionDeps,
): StepContext {
  return {
    request: { ...request, ...lines.shown(written) },
    stop: leaksOf(format),
    promptPaths: [request.path, ...written.about.sources.map(({ path }) => path)],
    meanLogprob: sureness(written, lines),
    minMeanLogprob,
  };
}

/** Of what is shown: a model that is sure of a line may be less so of those that it would have written behind. */
const sureness = (written: Written<Call>, lines: Lines) =>
  written.meanLogprob(lines.lengthOf(written)) ?? written.generated?.meanLogprob ?? null;

/** Who wrote it, and what the engine said of it; it says nothing when the text was enough before its end. */
const describe = ({ about: { engine }, generated, reuse }: Written<Call>) => ({
  ...{ engine: engine.name, model: engine.model, reuse },
  finish: generated?.finish ?? ("stop" as const),
  confidence: generated?.confidence ?? null,
  usage: generated?.usage ?? { promptTokens: null, cachedTokens: null, completionTokens: null },
});
