/** The pipeline, on one screen: retrieval ─► prompt ─► engine ─► postprocess. */
import type { FimDone, FimPreview, FimRequest, Source } from "@dhi/core/protocol";
import { unlessRepeated } from "./alternative.ts";
import { askAhead } from "./ask-ahead.ts";
import { type Call, planCall } from "./call.ts";
import type { Engine } from "./engines/engine.ts";
import type { Queue } from "./generation/queue.ts";
import type { Writer, Written } from "./generation/writer.ts";
import { createDrawing } from "./postprocess/drawing.ts";
import { startPreview } from "./preview.ts";
import type { PromptDeps } from "./prompt/prompt-for.ts";
import { type Stopwatch, stopwatch } from "./stopwatch.ts";
import { type ReadingDeps, readingOf } from "./written-answer.ts";

export interface CompletionDeps extends PromptDeps, ReadingDeps {
  readonly engine: (request: FimRequest) => Engine;
  readonly queue: (engine: Engine) => Queue;
  readonly writer: Writer<Call>;
  /** Where the names of a completion are defined: the sources of an engine that reads no prompt. */
  readonly definedIn: (request: FimRequest, completion: string) => Source[];
  /** Most tokens a completion may have; a request can ask for fewer. */
  readonly maxTokens: number;
  /** Left out: the engine may be asked, while it has nothing to do, for what is wanted once a completion is accepted. */
  readonly asksAhead?: boolean;
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
  const { mode = deps.mode, sessionId: session = requestId } = request;
  const { maxTokens, writer, format } = deps;
  const { others, ...planned } = planCall(request, deps, { session, mode, watch, maxTokens });
  const { enough, judge, describe } = readingOf(request, deps);
  const preview = startPreview(request, planned, deps, onPreview);
  const drawing = createDrawing();
  const draw = (piece: string) => piece && onText?.(piece);

  const order = {
    ...{ ...planned, enough, takeOver },
    onText(soFar: Written<Call>) {
      preview.end();
      // One more answer may turn out to be known already, and what was drawn can't be taken back.
      if (!planned.isBeside) draw(drawing.grow(soFar.text, (text) => judge({ ...soFar, text })));
    },
  };
  const written = await writer.write(order, signal).finally(preview.end);
  watch.lap("engine");

  const judged = unlessRepeated(judge(written), others.map(writer.known), (text) =>
    judge({ ...written, text }),
  );
  const { shown, rest } = drawing.end(judged);
  const standing = preview.standing(shown);
  draw(standing?.completion ?? rest);
  watch.lap("postprocess");

  const { completion, reason } = standing ?? { completion: shown.text, reason: shown.reason };
  if (completion && !planned.isBeside) askAhead(request, completion, deps);
  const { engine, sources } = written.about;
  return {
    ...{ done: true, requestId, completion, reason, mode, format: format.id },
    ...{ ...describe(written), ...standing },
    sources: engine.readsPrompt && !standing ? [...sources] : deps.definedIn(request, completion),
    timings: { ...watch.laps(), firstToken: written.firstTextMs, total: watch.total() },
  };
}
