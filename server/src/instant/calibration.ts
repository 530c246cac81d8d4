/**
 * From the product of a line's probabilities to how often such a start is right: a long start is right more often than its
 * tokens would be one by one, since who copies a line copies all of it (Platt 1999, with the number of tokens).
 */

/** What is added to `slope` × the log-odds of the product, and that per e-fold of tokens. */
export interface Calibration {
  readonly intercept: number;
  readonly slope: number;
  readonly perLogToken: number;
}

/** Leaves what is well calibrated as it is. */
export const UNCALIBRATED: Calibration = { intercept: 0, slope: 1, perLogToken: 0 };

/** @param tokens of the start, 1 or more */
export function calibrated(
  confidence: number,
  tokens: number,
  { intercept, slope, perLogToken }: Calibration,
): number {
  const odds = intercept + slope * logOdds(confidence) + perLogToken * Math.log(tokens);
  return 1 / (1 + Math.exp(-odds));
}

/** Interpolation reaches 1 only with nothing against it, which is no proof; 0 likewise. */
const SUREST = 0.999;

export function logOdds(confidence: number): number {
  const sure = Math.min(SUREST, Math.max(1 - SUREST, confidence));
  return Math.log(sure / (1 - sure));
}
