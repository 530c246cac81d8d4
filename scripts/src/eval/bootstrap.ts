/** How sure a mean, a difference or a ratio of two methods on the same cursors is. */
import { createRandom } from "../bench/random.ts";

export interface Estimate {
  readonly value: number;
  /** 95 % of the resamples lie between. NaN where there is nothing to divide by. */
  readonly low: number;
  readonly high: number;
}

/** The same draws for every comparison of a run. */
export interface Bootstrap {
  mean(values: readonly number[]): Estimate;
  /** @param a and `b` scores of two methods on the same cursors, in the same order; NaN where one is not defined */
  difference(a: readonly number[], b: readonly number[]): Estimate;
  /** Of the means. */
  ratio(a: readonly number[], b: readonly number[]): Estimate;
}

/**
 * Paired, by cursor, and stratified: each resample draws as many cursors of a stratum as there are (Efron and Tibshirani
 * 1993, percentile intervals).
 *
 * @param strata of each cursor: its package
 */
export function createBootstrap(strata: readonly string[], resamples: number, seed: number): Bootstrap {
  const draws = drawAll(strata, resamples, seed);
  function estimate(value: number, of: (draw: Uint32Array) => number): Estimate {
    const sorted = Float64Array.from(draws, of).sort();
    const at = (share: number) =>
      sorted[Math.min(resamples - 1, Math.floor(share * resamples))] ?? Number.NaN;
    return { value, low: at(0.025), high: at(0.975) };
  }
  return {
    mean: (values) => estimate(meanOf(values), (draw) => meanIn(values, draw)),
    difference: (a, b) => estimate(meanOf(a) - meanOf(b), (draw) => meanIn(a, draw) - meanIn(b, draw)),
    ratio: (a, b) => estimate(meanOf(a) / meanOf(b), (draw) => meanIn(a, draw) / meanIn(b, draw)),
  };
}

/** @returns the mean of those that are numbers; NaN for none */
export function meanOf(values: readonly number[]): number {
  const numbers = values.filter((value) => !Number.isNaN(value));
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

function meanIn(values: readonly number[], draw: Uint32Array): number {
  let [sum, count] = [0, 0];
  for (const at of draw) {
    const value = values[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

function drawAll(strata: readonly string[], resamples: number, seed: number): Uint32Array[] {
  const members = new Map<string, number[]>();
  strata.forEach((stratum, at) => {
    members.set(stratum, [...(members.get(stratum) ?? []), at]);
  });
  const random = createRandom(seed);
  return Array.from({ length: resamples }, () => {
    const draw = new Uint32Array(strata.length);
    let filled = 0;
    for (const group of members.values())
      for (let i = 0; i < group.length; i++) draw[filled++] = group[random.below(group.length)] ?? 0;
    return draw;
  });
}
