/**
 * How many of a prompt's tokens Ollama had cached. It counts all of them as read and does not tell (0.17), but cached
 * ones take no time: the rest is what the reading took, at the rate at which a prompt without any was read.
 *
 * An estimate that is rather too low: a short reading is mostly overhead, and it never exceeds what the prompt shares
 * with the last ones.
 */

export interface CachedTokens {
  /**
   * A prompt is on its way: the runner may read it although nobody waits for the answer.
   *
   * @returns tells, once it was read, how many of its `tokens` were cached, from the milliseconds that reading it took;
   * `null` until a prompt that can't have been cached has shown how fast this machine reads
   */
  begin(prompt: string): (tokens: number, readMs: number) => number | null;
  /** Tokens a second that are read without a cache; `undefined` until known. */
  readonly rate: number | undefined;
}

/** Ollama keeps one prompt per slot, and an abandoned one may or may not have got there: the last few are candidates. */
const REMEMBERED = 4;
/** A prompt that shares no more than this with the last ones counts as new. */
const NEW_SHARE = 0.1;
/** Below that, overhead is most of the time. */
const MEASURED_TOKENS = 64;
/** How much a new measurement counts: other work on the machine comes and goes. */
const WEIGHT = 0.5;

export function createCachedTokens(): CachedTokens {
  let before: readonly string[] = [];
  let rate: number | undefined;

  return {
    begin(prompt) {
      const shared = Math.max(0, ...before.map((earlier) => sharedStart(earlier, prompt)));
      const share = shared / Math.max(1, prompt.length);
      before = [prompt, ...before].slice(0, REMEMBERED);
      return (tokens, readMs) => {
        if (share <= NEW_SHARE && tokens >= MEASURED_TOKENS && readMs > 0) {
          const measured = (tokens / readMs) * 1000;
          rate = rate === undefined ? measured : rate + WEIGHT * (measured - rate);
        }
        if (rate === undefined) return null;
        const read = (readMs / 1000) * rate;
        return Math.round(Math.max(0, Math.min(tokens - read, tokens * share)));
      };
    },
    get rate() {
      return rate;
    },
  };
}

/** @returns how many characters both begin with */
function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
