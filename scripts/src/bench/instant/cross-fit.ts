/** Rankers for the packages that they were not fitted on: each half's is fitted on the other half. */
import { UNCALIBRATED } from "@dhi/server/instant/calibration";
import type { Rankers } from "@dhi/server/instant/predict-line";
import { candidateScorer, noneScorer, type RankerWeights } from "@dhi/server/instant/ranker";
import type { Commit } from "./commits.ts";
import { dhiWith } from "./dhi.ts";
import type { Examples } from "./examples.ts";
import { type Fit, type FitOptions, fit } from "./fit.ts";
import { type PositionResult, replay } from "./replay.ts";

export interface FittedPackage {
  readonly name: string;
  readonly commits: readonly Commit[];
  readonly examples: Examples;
}

/** @returns what the uncalibrated rankers say at positions of every package */
export function replayAcrossHalves(
  packages: readonly FittedPackage[],
  options: FitOptions,
  { perPackage, seed }: { readonly perPackage: number; readonly seed: number },
): PositionResult[] {
  return [0, 1].flatMap((half) => {
    const others = packages.filter((_, i) => i % 2 !== half).map(({ examples }) => examples);
    const rankers: Rankers = {
      next: weightsOf(
        fit(
          others.flatMap(({ next }) => next),
          options,
        ),
      ),
      completesWord: weightsOf(
        fit(
          others.flatMap(({ completesWord }) => completesWord),
          options,
        ),
      ),
      calibration: UNCALIBRATED,
    };
    return packages
      .filter((_, i) => i % 2 === half)
      .flatMap(({ name, commits }) => {
        const [results = []] = replay(name, commits, [dhiWith("Dhi", rankers)], {
          ...{ perPackage, seed, typing: "none" },
        });
        return results;
      });
  });
}

const weightsOf = ({ candidate, none }: Fit): RankerWeights => ({
  candidate: candidateScorer(Array.from(candidate, thousandfold)),
  none: noneScorer(Array.from(none, thousandfold)),
});

const thousandfold = (weight: number): number => 1_000 * weight;
