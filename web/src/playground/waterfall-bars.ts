/** Where the time of an answer went, as bars on one line. */
import type { FimDone } from "@dhi/core/protocol";

export interface Bar {
  readonly stage: string;
  /** What it is, for those who do not know. */
  readonly means: string;
  readonly startMs: number;
  readonly ms: number;
}

export interface Waterfall {
  readonly bars: readonly Bar[];
  readonly totalMs: number;
  /** When the first text was there; `null` when there was none. */
  readonly firstTextMs: number | null;
}

/**
 * The bars follow each other without a gap and end when the answer was there.
 *
 * @param timings the server's: its stages follow each other, and `firstToken` counts from the first stage's start
 * @param debounceMs how long the page held the request back
 * @param ms from the request's leaving to the answer, as the page saw it
 */
export function waterfall(timings: FimDone["timings"], debounceMs: number, ms: number): Waterfall {
  const { retrieval, prompt, queue, engine, postprocess, firstToken } = timings;
  const before = retrieval + prompt + queue;
  // Text that an earlier request had written is there at once: then there is no prompt to read.
  const prefill = firstToken === null ? engine : Math.min(engine, Math.max(0, firstToken - before));
  const counted = before + engine + postprocess;
  const stages: readonly (readonly [string, string, number])[] = [
    ["debounce", "the page waited for typing to pause", debounceMs],
    ["retrieval", "looking for context in the repository", retrieval],
    ["prompt", "choosing from it what fits, and laying it out", prompt],
    ["queue", "waiting for the engine to be free", queue],
    ["prefill", "the engine read the prompt, up to its first text", prefill],
    ["decode", "the engine wrote", engine - prefill],
    ["post-process", "checks and trims of what it wrote", postprocess],
    ["network", "there and back, and what no stage counts", Math.max(0, ms - counted)],
  ];
  const bars: Bar[] = [];
  let startMs = 0;
  for (const [stage, means, took] of stages) {
    bars.push({ stage, means, startMs, ms: took });
    startMs += took;
  }
  return {
    bars,
    totalMs: startMs,
    firstTextMs: firstToken === null ? null : debounceMs + Math.max(before, firstToken),
  };
}
