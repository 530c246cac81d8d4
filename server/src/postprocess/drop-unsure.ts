/** Drops what the model itself gives little chance. */
import type { Step } from "./step.ts";

/**
 * Natural logarithm: on average the model gave its own tokens 1 chance in 7. Low on purpose, for models differ in how
 * sure they are of good code, and only a model's own measurement (`minMeanLogprob`) says where it really guesses.
 */
export const MIN_MEAN_LOGPROB = -2;

/** Whoever asks by a key wants to see even a guess. Engines that calibrate their confidence drop by it themselves. */
export const dropUnsure: Step = (text, { request, meanLogprob, minMeanLogprob = MIN_MEAN_LOGPROB }) =>
  request.trigger !== "manual" && typeof meanLogprob === "number" && meanLogprob < minMeanLogprob
    ? { drop: "low-confidence" }
    : text;
