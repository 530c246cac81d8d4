/** A repository's own correction of the confidence: how far its log-odds are off on the repository's earlier commits. */
import type { PositionResult } from "./replay.ts";

type Starts = PositionResult["starts"];

/** One over the variance of the shift before anything is known; of 5 to 300 the best on the development packages. */
const PRIOR = 300;
const STEPS = 30;

/** @returns what is added to the log-odds of each confidence: the most likely, given that it is 0 at first */
export function shiftFor(earlier: readonly { readonly starts: Starts }[]): number {
  const starts = earlier.flatMap((result) => result.starts);
  let shift = 0;
  // Newton's method, on a function with one maximum.
  for (let step = 0; step < STEPS; step++) {
    let [slope, curvature] = [-PRIOR * shift, PRIOR];
    for (const { confidence, right } of starts) {
      const shifted = shiftedBy(confidence, shift);
      slope += Number(right) - shifted;
      curvature += shifted * (1 - shifted);
    }
    shift += slope / curvature;
  }
  return shift;
}

export function shiftedBy(confidence: number, shift: number): number {
  const sure = Math.min(0.995, Math.max(0.005, confidence));
  return 1 / (1 + Math.exp(-shift) * (1 / sure - 1));
}
