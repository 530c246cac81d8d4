/** How far a model's own counts are from our estimates, so that the room for a prompt is used. */

export interface TokenRatio {
  /** Tokens per estimated token, on the safe side; 1 until enough is known. */
  readonly factor: number;
  /** @param counted what the engine says the prompt had */
  learn(estimated: number, counted: number): void;
}

/** The context window has 1.25 tokens for each estimated one (`create-engine.ts`): nothing below keeps within it. */
const LEAST = 1 / 1.25;
const MOST = 1.25;
/** In a short prompt the sentinels weigh too much. */
const LEAST_TOKENS = 400;
const LEAST_PROMPTS = 8;
/** Weight of the newest prompt. */
const NEWEST = 0.1;
/** Each change moves the windows of the prompt and costs what the engine has cached, so there are few. */
const STEP = 0.05;

export function createTokenRatio(): TokenRatio {
  let prompts = 0;
  let mean = 0;
  let deviation = 0;
  let factor = 1;
  return {
    get factor() {
      return factor;
    },
    learn(estimated, counted) {
      const ratio = counted / estimated;
      // Some versions of engines count only what they had not read before.
      if (counted < LEAST_TOKENS || ratio < LEAST / 2) return;
      prompts++;
      const weight = Math.max(NEWEST, 1 / prompts);
      mean += weight * (ratio - mean);
      deviation += weight * (Math.abs(ratio - mean) - deviation);
      if (prompts < LEAST_PROMPTS) return;
      const safe = Math.ceil((mean + 2 * deviation) / STEP - 1e-9) * STEP;
      const next = Math.min(MOST, Math.max(LEAST, safe));
      if (next > factor || next < factor - 1.5 * STEP) factor = next;
    },
  };
}
