/** What a request asks of an engine: retrieval ─► prompt ─► engine, to be run when no earlier call has the answer. */
import type { ContextMode, EngineName, FimRequest, Source } from "@dhi/core/protocol";
import { othersOf, samplingOf } from "./alternative.ts";
import type { CompletionDeps } from "./complete.ts";
import type { Engine, Generated, OnText } from "./engines/engine.ts";
import { generateFrom } from "./engines/generate-from.ts";
import type { Place } from "./generation/place.ts";
import { placeOf } from "./generation/place-of.ts";
import type { Queue } from "./generation/queue.ts";
import type { Attempt, WriteOrder } from "./generation/writer.ts";
import { isOneLine } from "./postprocess/cursor-line.ts";
import { promptBefore, wordToWrite } from "./prompt/heal.ts";
import { unchanged } from "./prompt/layouts.ts";
import { type Prompt, promptFor, sourceOf } from "./prompt/prompt-for.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** What is known of one call of an engine: its text may be the answer to several requests. */
export interface Call {
  readonly engine: Engine;
  /** The one that was asked; with ENGINE=auto another may have answered. */
  readonly asked: EngineName;
  sources: readonly Source[];
}

/** What the tier without a model wrote while the model was away is no answer once that is back. */
export const mayBeReused = ({ engine, asked }: Call): boolean => engine.name === asked;

/** All of an order that does not depend on who waits for it. */
export interface Planned extends Omit<WriteOrder<Call>, "enough" | "onText" | "takeOver"> {
  /** Where the answers stand that an alternative has to differ from. */
  readonly others: readonly Place[];
}

export interface PlanOptions {
  /** Whose older calls give way. */
  readonly session: string;
  readonly mode: ContextMode;
  /** Gets the laps of the call. */
  readonly watch: Stopwatch;
  /** The most; a request can ask for fewer. */
  readonly maxTokens: number;
}

export function planCall(
  request: FimRequest,
  deps: CompletionDeps,
  { session, mode, watch, maxTokens: most }: PlanOptions,
): Planned {
  const { format } = deps;
  const maxTokens = Math.min(request.maxTokens ?? most, most);
  // What stands right of the cursor allows one line, so no token is spent on a second.
  const oneLine = isOneLine(request);
  const stop = oneLine ? ["\n", ...format.stop] : format.stop;
  const engine = deps.engine(request);
  const queue = deps.queue(engine);
  const about: Call = { engine, asked: engine.name, sources: [] };
  let prompt: Promise<Prompt> | undefined;

  /** @param begun has been typed, and is left to the model to write all the same */
  async function generate(begun: string, onText: OnText, ended: AbortSignal): Promise<Generated> {
    // Waiting for text that was another: of the call for the whole word, or of one that was joined.
    watch.lap("engine");
    const layouts = request.alternative ? unchanged(deps.layouts) : deps.layouts;
    prompt ??= promptFor(request, { ...deps, layouts }, engine.readsPrompt ? mode : "raw", watch, ended);
    const built = await prompt;
    about.sources = built.used.map(sourceOf);
    const input = { prompt: promptBefore(built, begun.length), request };
    const sampling = samplingOf(request);
    const options = { stop, maxTokens, onText, ...(sampling && { sampling }) };
    const run = () => {
      watch.lap("queue");
      return begun && engine.obeysGrammar
        ? generateFrom(engine, begun, input, options, ended)
        : engine.generate(input, options, ended);
    };
    return queue.run(session, run, ended);
  }

  const placeAt = (one: FimRequest) => placeOf(one, engine, { format, mode, maxTokens, oneLine });
  const place = placeAt(request);
  const word = wordToWrite(request.prefix, engine, format);
  const from = (begun: string, prefix = request.prefix): Attempt => ({
    place: { ...place, prefix },
    call: (onText, ended) => generate(begun, onText, ended),
  });
  return {
    ...from(engine.obeysGrammar ? word : ""),
    // Wrong, it costs a call of its own, so that only who needs it gets it.
    healed: word && !engine.obeysGrammar ? from(word, request.prefix.slice(0, -word.length)) : undefined,
    ...{ session, about, mayGoOn: isFree(queue) },
    ...{ isBeside: Boolean(request.alternative), others: othersOf(request).map(placeAt) },
  };
}

/** A scope of its own: what is kept of a call must not keep the request's text alive. */
const isFree = (queue: Queue) => () => queue.waiting === 0;
