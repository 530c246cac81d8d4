/**
 * How sure each candidate is: two layers over its features, one against the other and against "none of these". Fitted so
 * that the probabilities can be multiplied along a line; see `ranker-weights.ts` for how.
 */
import type { Candidate } from "./evidence.ts";
import { CANDIDATE_FEATURES, featuresOf, NONE_FEATURES, type Surroundings } from "./features.ts";

/** A layer of tanh over the inputs, and a sum of it. */
export interface Scorer {
  readonly inputs: number;
  readonly hidden: number;
  /** Per hidden unit its bias and a weight per input; at the end the bias of the sum and a weight per hidden unit. */
  readonly weights: ArrayLike<number>;
}

/** For a token that stands alone, and for one that completes a word. */
export interface RankerWeights {
  readonly candidate: Scorer;
  readonly none: Scorer;
}

export interface Ranked {
  readonly candidate: Candidate;
  /** That it is this one. */
  readonly confidence: number;
}

/** As many as the weights were fitted with: a change wants them fitted again. */
export const MOST_RANKED = 12;

/** @returns the likeliest of the candidates that have a chance at all */
export function mostPromising(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .map((candidate) => ({ candidate, promise: promiseOf(candidate) }))
    .sort((a, b) => b.promise - a.promise)
    .slice(0, MOST_RANKED)
    .map(({ candidate }) => candidate);
}

/**
 * Tokens of a match under other names that promise as much as a sure estimate does; the longest there can be, of 25,
 * promises 0.6. Set by hand; the weights were fitted on what it lets in.
 */
const SURE_RENAMED = 40;

const promiseOf = (c: Candidate): number =>
  Math.max(
    ...[c.probability, c.openProbability, c.repositoryProbability, c.likeness, c.lineLikeness],
    c.renamed / SURE_RENAMED,
  );

/** @param candidates as {@link mostPromising} gives them @returns `undefined` when there are none */
export function best(
  candidates: readonly Candidate[],
  around: Surroundings,
  { candidate: scorer, none }: RankerWeights,
): Ranked | undefined {
  const features = featuresOf(candidates, around);
  let total = Math.exp(score(none, features.none, 0));
  let top: Candidate | undefined;
  let topWeight = 0;
  candidates.forEach((candidate, i) => {
    const weight = Math.exp(score(scorer, features.candidates, i * CANDIDATE_FEATURES));
    total += weight;
    if (weight > topWeight) {
      top = candidate;
      topWeight = weight;
    }
  });
  return top && { candidate: top, confidence: topWeight / total };
}

function score({ inputs, hidden, weights }: Scorer, features: ArrayLike<number>, from: number): number {
  const sum = hidden * (inputs + 1);
  let result = weights[sum] ?? 0;
  for (let unit = 0; unit < hidden; unit++) {
    const first = unit * (inputs + 1);
    let value = weights[first] ?? 0;
    for (let i = 0; i < inputs; i++) value += (weights[first + 1 + i] ?? 0) * (features[from + i] ?? 0);
    result += (weights[sum + 1 + unit] ?? 0) * Math.tanh(value);
  }
  return result;
}

/** @param thousandths the weights times 1000, so that they are short to write down */
export const candidateScorer = (thousandths: readonly number[]): Scorer =>
  scorerOf(CANDIDATE_FEATURES, thousandths);
export const noneScorer = (thousandths: readonly number[]): Scorer => scorerOf(NONE_FEATURES, thousandths);

const scorerOf = (inputs: number, thousandths: readonly number[]): Scorer => ({
  inputs,
  hidden: (thousandths.length - 1) / (inputs + 2),
  weights: Float64Array.from(thousandths, (weight) => weight / 1_000),
});
