/** The text for a place: of a call that is being made or was made lately, else of a new one. */
import type { Generated } from "../engines/engine.ts";
import { type Generation, startGeneration, type Verdict } from "./generation.ts";
import type { Generations, Place } from "./generations.ts";

export interface WriteOrder<About> {
  readonly place: Place;
  /** Whose older calls give way. */
  readonly session: string;
  /** Of the new call, if there is one. */
  readonly about: About;
  readonly call: (onText: (piece: string) => void, signal: AbortSignal) => Promise<Generated>;
  /** Whether the engine may write on once the text was enough. */
  readonly mayGoOn: () => boolean;
  /** Whether the text has all that can be shown. */
  readonly enough: (text: string) => boolean;
  readonly onText?: ((piece: string) => void) | undefined;
  /** Called once the session's older request may end: its call has been joined, or another one takes its place. */
  readonly takeOver: () => void;
}

export interface Written<About> {
  readonly text: string;
  /** Of the call that wrote it. */
  readonly about: About;
  /** What the engine said at its end; `undefined` when the text was enough before. */
  readonly generated: Generated | undefined;
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
}

export function createWriter<About>(generations: Generations<About>): Writer<About> {
  return {
    async write(order, signal) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      let firstTextMs: number | null = null;
      const onText = (piece: string) => {
        firstTextMs ??= performance.now() - startedAt;
        order.onText?.(piece);
      };
      const match = generations.find(order.place);
      if (match) {
        const { generation, typed } = match;
        const reuse = generation.state === "live" ? "joined" : "cached";
        const found = await follow(generation, typed, { ...order, onText }, signal);
        if (found) return { ...found, about: generation.about, firstTextMs, reuse };
      }
      signal.throwIfAborted();
      order.takeOver();
      generations.release(order.session);
      const generation = startGeneration(order.about, order.call, order.mayGoOn);
      generations.add(order.place, order.session, generation);
      const written = await follow(generation, "", { ...order, onText }, signal);
      return { text: "", generated: undefined, ...written, about: order.about, firstTextMs, reuse: "none" };
    },
  };
}

/** @returns `undefined` when the text turns out to be another than what was typed */
async function follow<About>(
  generation: Generation<About>,
  typed: string,
  { enough, onText, takeOver }: WriteOrder<About>,
  signal: AbortSignal,
): Promise<Pick<Written<About>, "text" | "generated"> | undefined> {
  let text = "";
  let sent = 0;
  const send = (now: string) => {
    text = now;
    // White space alone draws nothing, and may be all there is.
    if (text.length === sent || text.trim() === "") return;
    onText?.(text.slice(sent));
    sent = text.length;
  };
  const isPartial = generation.state === "cut" || generation.generated?.interrupted;
  if (isPartial && generation.text) {
    // Its last line may be half of one.
    const whole = generation.text.slice(typed.length, generation.text.lastIndexOf("\n") + 1);
    if (!enough(whole)) return undefined;
    takeOver();
    send(whole);
    return { text, generated: undefined };
  }

  const read = (all: string): Verdict => {
    if (!all.startsWith(typed)) return typed.startsWith(all) ? "more" : "diverged";
    send(all.slice(typed.length));
    return enough(text) ? "enough" : "more";
  };
  const following = generation.follow(read, signal);
  takeOver();
  const end = await following;
  if (end.how === "diverged" || !generation.text.startsWith(typed)) return undefined;
  return { text, generated: end.how === "over" ? end.generated : undefined };
}
