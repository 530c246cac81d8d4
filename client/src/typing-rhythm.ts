/** How fast somebody types: what the debounce is made from. */
import { recentMedian } from "./recent-median.ts";

export interface TypingRhythm {
  /** @param atMs on a clock that never goes back; at one moment there is one, whatever it changes at several cursors */
  keystroke(atMs: number): void;
  /** Between two keystrokes of a burst; `undefined` until a few were seen. */
  readonly gapMs: () => number | undefined;
  /** Since the last keystroke; infinite before the first. */
  readonly sinceMs: (nowMs: number) => number;
}

/** Whoever waits longer has stopped to think, which says nothing about how fast they type. */
const PAUSE_MS = 1_000;

export function createTypingRhythm(): TypingRhythm {
  const gaps = recentMedian(16, 4);
  let last = Number.NEGATIVE_INFINITY;
  return {
    keystroke(atMs) {
      const gap = atMs - last;
      last = atMs;
      if (gap > 0 && gap <= PAUSE_MS) gaps.add(gap);
    },
    gapMs: gaps.value,
    sinceMs: (nowMs) => nowMs - last,
  };
}
