/** Drops what the model itself gives little chance. */
import type { Step } from "./step.ts";

/**
 * Natural logarithm: on average the model gave its own tokens 1 chance in 7. Low on purpose, for models differ in how
 * sure they are of good code: it withholds what is nearly noise. Of the one model with real weights that was at hand
 * (SmolLM2-135M) it withheld no line that was right and 1 in 100 of the others; -0.75 would withhold 38 in 100, and 1 of 12
 * that were right (docs/bench/confidence.md). No family has a number of its own, since none could be measured:
 * `npm run bench:confidence` does it for a model, and `minMeanLogprob` in `models.json` sets it.
 */
export const MIN_MEAN_LOGPROB = -2;

/** Whoever asks by a key wants to see even a guess. Engines that calibrate their confidence drop by it themselves. */
export const dropUnsure: Step = (text, { request, meanLogprob, minMeanLogprob = MIN_MEAN_LOGPROB }) =>
  request.trigger !== "manual" && typeof meanLogprob === "number" && meanLogprob < minMeanLogprob
    ? { drop: "low-confidence" }
    : text;
