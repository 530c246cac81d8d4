/** The text for a place: of a call that is being made or was made lately, else of a new one. */
import type { Generated, OnText } from "../engines/engine.ts";
import { type Generation, startGeneration, type Verdict } from "./generation.ts";
import type { Generations } from "./generations.ts";
import type { Place } from "./place.ts";

/** One call of an engine, and what its text may answer. */
export interface Attempt {
  readonly place: Place;
  readonly call: (onText: OnText, signal: AbortSignal) => Promise<Generated>;
}

export interface WriteOrder<About> extends Attempt {
  /** For a place further left, tried first: good when what it writes begins with what stands between the two. */
  readonly healed?: Attempt | undefined;
  /** Whose older calls give way. */
  readonly session: string;
  /** It is one more answer: no older call gives way, and nothing is written behind what is enough. */
  readonly isBeside?: boolean;
  /** Of the new call, if there is one. */
  readonly about: About;
  /** Whether the engine may write what nobody waits for. */
  readonly mayGoOn: () => boolean;
  /** Whether the text has all that can be shown. */
  readonly enough: (text: string) => boolean;
  /** Called as the text grows. White space alone draws nothing, and may be all there is: it waits for what follows. */
  readonly onText?: ((soFar: Written<About>) => void) | undefined;
  /** Called once the session's older request may end: its call has been joined, or another one takes its place. */
  readonly takeOver: () => void;
}

export interface Written<About> {
  readonly text: string;
  /** Of the call that wrote it. */
  readonly about: About;
  /** What the engine said at its end; `undefined` when the text was enough before. */
  readonly generated: Generated | undefined;
  /** Of the first so many characters, where the engine tells: the mean natural log-probability of their tokens. */
  readonly meanLogprob: (length: number) => number | null;
  /** From the order to its first text; `null` when there was none. */
  readonly firstTextMs: number | null;
  /** `cached`: no engine was needed; `joined`: a call that was being made already. */
  readonly reuse: "none" | "cached" | "joined";
}

export interface Writer<About> {
  /**
   * @throws {UpstreamError} of the engine
   * @throws AbortError when the signal fires; a call that nobody else follows is aborted with it
   */
  write(order: WriteOrder<About>, signal: AbortSignal): Promise<Written<About>>;
  /** What is written there by now. */
  known(place: Place): string | undefined;
  /** Makes a call that nobody waits for, unless its text is there already. The session's next call ends it, another one ahead too. */
  writeAhead(order: Omit<WriteOrder<About>, "enough" | "onText" | "takeOver">): void;
  /** Resolves once nothing is written ahead for a session any more; the signal ends it, unless another of its requests uses it. */
  watchAhead(session: string, signal: AbortSignal): Promise<void>;
}

export function createWriter<About>(generations: Generations<About>): Writer<About> {
  function start(
    { place, call }: Attempt,
    { session, about, mayGoOn, isBeside }: WriteAhead<About>,
  ): Generation<About> {
    const generation = startGeneration(about, call, isBeside ? () => false : mayGoOn);
    generations.add(place, session, generation);
    return generation;
  }

  return {
    async write(order, signal) {
      signal.throwIfAborted();
      const takeOver = order.isBeside ? () => {} : order.takeOver;
      const following = { ...order, takeOver, startedAt: performance.now() };
      const match = generations.find(order.place);
      if (match) {
        // What was written for another text than this one is wanted no more, though no call takes its place.
        if (!order.isBeside) generations.releaseOthers(order.session, order.place);
        const reuse = match.generation.state === "live" ? "joined" : "cached";
        const found = await follow(match.generation, match.typed, { ...following, reuse }, signal);
        if (found) return found;
      }
      signal.throwIfAborted();
      takeOver();
      if (!order.isBeside) generations.release(order.session);
      const { healed, place, mayGoOn } = order;
      // What was written there before begins with something else, and would again.
      if (healed && mayGoOn() && !generations.has(healed.place)) {
        const typed = place.prefix.slice(healed.place.prefix.length);
        const found = await follow(start(healed, order), typed, { ...following, reuse: "none" }, signal);
        if (found) return found;
        signal.throwIfAborted();
      }
      const generation = start(order, order);
      const written = await follow(generation, "", { ...following, reuse: "none" }, signal);
      return written ?? { ...nothing(generation), reuse: "none" };
    },

    known(place) {
      const match = generations.find(place);
      return match?.generation.text.slice(match.typed.length);
    },

    writeAhead(order) {
      if (!order.mayGoOn() || generations.find(order.place)) return;
      generations.release(order.session);
      start(order, order);
    },

    async watchAhead(session, signal) {
      await Promise.all(generations.live(session).map((generation) => generation.watch(signal)));
    },
  };
}

type WriteAhead<About> = Pick<WriteOrder<About>, "session" | "about" | "mayGoOn" | "isBeside">;

interface Following<About> extends WriteOrder<About> {
  readonly startedAt: number;
  readonly reuse: Written<About>["reuse"];
}

const nothing = <About>({ about }: Generation<About>) => ({
  ...{ about, text: "", generated: undefined, firstTextMs: null, meanLogprob: () => null },
});

/** @returns `undefined` when the text turns out to be another than what was typed */
async function follow<About>(
  generation: Generation<About>,
  typed: string,
  { enough, onText, takeOver, startedAt, reuse }: Following<About>,
  signal: AbortSignal,
): Promise<Written<About> | undefined> {
  const from = typed.length;
  let written: Written<About> = {
    ...nothing(generation),
    meanLogprob: (length) => generation.logprobs.mean(from, from + length),
    reuse,
  };
  const send = (text: string) => {
    if (text === written.text) return;
    const isDrawn = text.trim() !== "";
    const firstTextMs = written.firstTextMs ?? (isDrawn ? performance.now() - startedAt : null);
    written = { ...written, text, firstTextMs };
    if (isDrawn) onText?.(written);
  };
  const isPartial = generation.state === "cut" || generation.generated?.interrupted;
  if (isPartial && generation.text) {
    // Its last line may be half of one.
    const whole = generation.text.slice(from, generation.text.lastIndexOf("\n") + 1);
    if (!enough(whole)) return undefined;
    takeOver();
    send(whole);
    return written;
  }

  const read = (all: string): Verdict => {
    if (!all.startsWith(typed)) return typed.startsWith(all) ? "more" : "diverged";
    send(all.slice(from));
    return enough(written.text) ? "enough" : "more";
  };
  const following = generation.follow(read, signal);
  takeOver();
  const end = await following;
  if (end.how === "diverged" || !generation.text.startsWith(typed)) return undefined;
  return { ...written, generated: end.how === "over" ? end.generated : undefined };
}
