/** What each idea brings: rankers fitted without what an idea says of the candidates, at the same positions. */
import { CANDIDATE_FEATURES, FEATURE_NAMES } from "@dhi/server/instant/features";
import { candidateScorer, noneScorer } from "@dhi/server/instant/ranker";
import type { Commit } from "./commits.ts";
import { dhiWith } from "./dhi.ts";
import type { Example, Examples } from "./examples.ts";
import { replayFigures, typingFigures } from "./figures.ts";
import { type Fit, type FitOptions, fit } from "./fit.ts";
import type { Guesser } from "./guesser.ts";
import { type PositionResult, type ReplayOptions, replay } from "./replay.ts";
import { number, percent, type Section } from "./report.ts";

/** Idea → how the features that carry it begin. */
const IDEAS: Readonly<Record<string, readonly string[]>> = {
  everything: [],
  "without matches under other names": ["match under other names"],
  "without the text below beside the match": ["lines below"],
  "without the estimates of the open file and the repository apart": ["probability in the", "support in the"],
};

/** Positions to fit on for each at which is measured. */
export const FITTED_PER_MEASURED = 5;

/** What was tried by hand before this could be: kept since the next token tells ideas apart better than 60 positions do. */
const BY_HAND =
  "Not of this run, and made by no part of the benchmark: by hand, with an earlier set of the ranker's features, fitted and tested on different development packages (34,839 tokens), the log-loss of the next token rose from 0.836 to 0.916 without matches under other names and to 0.845 without the lines below.";

/** @param examples of {@link FITTED_PER_MEASURED} times the positions that `replayOptions` asks for */
export function ablation(
  packages: readonly { readonly name: string; readonly commits: readonly Commit[] }[],
  examples: Examples,
  fitOptions: FitOptions,
  replayOptions: ReplayOptions,
): { section: Section; results: Readonly<Record<string, readonly PositionResult[]>> } {
  const guessers = Object.entries(IDEAS).map(([name, starts]) => guesserWithout(name, featuresOf(starts)));
  const results: Record<string, PositionResult[]> = {};
  for (const { name, commits } of packages)
    replay(name, commits, guessers, replayOptions).forEach((some, i) => {
      const guesser = guessers[i]?.name ?? "";
      results[guesser] = [...(results[guesser] ?? []), ...some];
    });
  const rows = Object.entries(results).map(([name, some]) => {
    const [low, high] = [replayFigures(some, 0.7), replayFigures(some, 0.85)];
    const { saved, wrong } = typingFigures(some, 0.7);
    return [
      name,
      ...[`${percent(low.shown)} / ${percent(low.right)}`, `${percent(high.shown)} / ${percent(high.right)}`],
      ...[percent(saved), number(wrong)],
    ];
  });
  return {
    results,
    section: {
      title: "Without one idea",
      head: ["", "θ 0.7: shown / right", "θ 0.85: shown / right", "θ 0.7: saved", "wrong a line"],
      rows,
      notes: [
        `Each is fitted anew on the lines among ${FITTED_PER_MEASURED * replayOptions.perPackage} positions of each package (about half of them) and measured at ${replayOptions.perPackage} positions of each, so most differences are within their intervals.`,
        BY_HAND,
      ],
    },
  };

  function guesserWithout(name: string, features: readonly number[]): Guesser {
    function fitted(some: readonly Example[]) {
      const { candidate, none } = fit(
        some.map((example) => without(example, features)),
        fitOptions,
      );
      return rankerOf({ none, candidate: withoutWeights(candidate, features) });
    }
    return dhiWith(name, { next: fitted(examples.next), completesWord: fitted(examples.completesWord) });
  }
}

const featuresOf = (starts: readonly string[]): number[] =>
  FEATURE_NAMES.flatMap((name, i) => (starts.some((start) => name.startsWith(start)) ? [i] : []));

function without(example: Example, features: readonly number[]): Example {
  if (features.length === 0) return example;
  const candidates = Float32Array.from(example.candidates);
  for (let from = 0; from < candidates.length; from += CANDIDATE_FEATURES)
    for (const feature of features) candidates[from + feature] = 0;
  return { ...example, candidates };
}

/** What was always 0 has kept the weight it was started with. */
function withoutWeights(weights: Float64Array, features: readonly number[]): Float64Array {
  const kept = Float64Array.from(weights);
  const hidden = (weights.length - 1) / (CANDIDATE_FEATURES + 2);
  for (let unit = 0; unit < hidden; unit++)
    for (const feature of features) kept[unit * (CANDIDATE_FEATURES + 1) + 1 + feature] = 0;
  return kept;
}

const thousandths = (weights: Float64Array) => Array.from(weights, (weight) => weight * 1_000);
const rankerOf = ({ candidate, none }: Fit) => ({
  candidate: candidateScorer(thousandths(candidate)),
  none: noneScorer(thousandths(none)),
});
