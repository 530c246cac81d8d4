/** When the server is asked: remembers how fast somebody types, how fast answers come, and what the server wants. */
import { debounceMs } from "./debounce.ts";
import { recentMedian } from "./recent-median.ts";
import { createTypingRhythm } from "./typing-rhythm.ts";

export interface Pace {
  typed(nowMs: number): void;
  /** A completion, or a part of one, was put in by one key. */
  accepted(): void;
  /** From a request to its first text. */
  heard(ms: number): void;
  /** `debounceMs` of the latest answer. */
  serverWants(ms: number | null): void;
  /** @returns how long to wait from `nowMs` on: the time since the keystroke counts already */
  waitMs(cursor: PacedCursor, nowMs: number): number;
}

export interface PacedCursor {
  readonly settingMs: number | null;
  readonly isManual: boolean;
  /** Nothing stands in the cursor's line. */
  readonly isFreshLine: boolean;
}

/** Times on a clock that never goes back. */
export function createPace(): Pace {
  const rhythm = createTypingRhythm();
  const answers = recentMedian(8, 2);
  let serverMs: number | null = null;
  let isAccepted = false;
  return {
    typed(nowMs) {
      isAccepted = false;
      rhythm.keystroke(nowMs);
    },
    accepted() {
      isAccepted = true;
    },
    heard: answers.add,
    serverWants(ms) {
      serverMs = ms;
    },
    waitMs({ isFreshLine, ...cursor }, nowMs) {
      const isNaturalPause = isAccepted || isFreshLine;
      const facts = { gapMs: rhythm.gapMs(), answerMs: answers.value(), serverMs, isNaturalPause, ...cursor };
      const since = rhythm.sinceMs(nowMs);
      return Math.max(0, debounceMs(facts) - (Number.isFinite(since) ? since : 0));
    },
  };
}
