/** How long to wait after a keystroke before the server is asked. */

export interface DebounceFacts {
  /** The user's own choice, `null` for none; everything else is left aside but what they ask for by hand. */
  readonly settingMs: number | null;
  /** Between two keystrokes of a burst; `undefined` while unknown. */
  readonly gapMs: number | undefined;
  /** From a request to its first text; `undefined` while unknown. */
  readonly answerMs: number | undefined;
  /** What the server asks for, because it is slow or busy; `null` when it does not mind. */
  readonly serverMs: number | null;
  /** Asked for by hand. */
  readonly isManual: boolean;
  /** The last change was an accepted completion, or a line was begun: a pause is certain, so there is none to wait for. */
  readonly isNaturalPause: boolean;
}

const BASE_MS = 75;
const LEAST_MS = 25;
const MOST_MS = 300;

/**
 * A request is worth its cost when its answer is there before the next keystroke. Who types every 180 ms and has answers
 * in 40 waits 140: by then the next key would have come. Where answers take longer than the gap nothing is gained by
 * waiting, since the server lets the next keystroke join what is being written.
 */
export function debounceMs({
  settingMs,
  gapMs,
  answerMs,
  serverMs,
  isManual,
  isNaturalPause,
}: DebounceFacts): number {
  if (isManual) return 0;
  if (settingMs !== null) return settingMs;
  return Math.max(serverMs ?? 0, isNaturalPause ? 0 : fromRhythm(gapMs, answerMs));
}

function fromRhythm(gapMs: number | undefined, answerMs: number | undefined): number {
  if (gapMs === undefined || answerMs === undefined) return BASE_MS;
  return Math.min(MOST_MS, Math.max(LEAST_MS, gapMs - answerMs));
}
