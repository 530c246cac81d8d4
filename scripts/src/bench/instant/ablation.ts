/**
 * What each idea brings to the next token: rankers fitted without what an idea says of the candidates, on half of the
 * packages, and tested on the other half. Tokens tell ideas apart that positions do not: there are twenty times as many.
 */
import { CANDIDATE_FEATURES, FEATURE_NAMES } from "@dhi/server/instant/features";
import type { Example } from "./examples.ts";
import { type FitOptions, fit, lossOf, surestIn } from "./fit.ts";
import type { Section } from "./report.ts";

/** Idea → how the features that carry it begin. */
const IDEAS: Readonly<Record<string, readonly string[]>> = {
  everything: [],
  "without matches under other names": ["match under other names"],
  "without the text below beside the match": ["lines below"],
  "without the estimates of the open file and the repository apart": ["probability in the", "support in the"],
  "without how alike the places are": ["likeness of the places", "likeness, "],
  "without lines that begin alike": ["likeness of lines"],
  "without the kinds of tokens": ["kind, "],
  "without the uses and looks of names": ["uses in the", "looks of the name"],
  "without members and exports": ["symbols: member"],
  "without imports and what is in scope": [
    "symbols: imported",
    "symbols: of a head",
    "symbols: in the block",
  ],
  "without definitions and calls": [
    "symbols: definitions",
    "symbols: called",
    "symbols: is one",
    "symbols: closes",
    "symbols: goes on",
  ],
  "without symbols": ["symbols: "],
};

export interface AblationFigures {
  /** Mean log-loss in nats. */
  readonly loss: number;
  /** How often the likeliest is right. */
  readonly right: number;
  /** Largest share of tokens, the surest first, of which nine in ten are right. */
  readonly covered: number;
}

/** @param packages the tokens of each */
export function ablation(
  packages: readonly (readonly Example[])[],
  options: FitOptions,
): { readonly section: Section; readonly results: Readonly<Record<string, AblationFigures>> } {
  const results: Record<string, AblationFigures> = {};
  for (const [name, starts] of Object.entries(IDEAS)) {
    const features = FEATURE_NAMES.flatMap((feature, i) =>
      starts.some((start) => feature.startsWith(start)) ? [i] : [],
    );
    const left = packages.map((examples) => examples.map((example) => without(example, features)));
    results[name] = acrossHalves(left, options);
  }
  const tokens = packages.reduce((sum, { length }) => sum + length, 0);
  return {
    results,
    section: {
      title: "Without one idea",
      head: ["", "log-loss of the next token", "right", "guessed, where 90 % of that is right"],
      rows: Object.entries(results).map(([name, { loss, right, covered }]) => [
        name,
        loss.toFixed(4),
        `${(100 * right).toFixed(1)} %`,
        `${(100 * covered).toFixed(1)} %`,
      ]),
      notes: [
        `Of ${tokens} tokens of added lines. Each idea's features are 0 for a ranker that is fitted anew on every other package and tested on the rest, and the other way round. The candidates that it brings stay: an idea can bring more than is said here.`,
      ],
    },
  };
}

function acrossHalves(packages: readonly (readonly Example[])[], options: FitOptions): AblationFigures {
  let [loss, right, tokens] = [0, 0, 0];
  const guesses: { share: number; isRight: boolean }[] = [];
  for (const half of [0, 1]) {
    const tested = packages.filter((_, i) => i % 2 === half).flat();
    const weights = fit(packages.filter((_, i) => i % 2 !== half).flat(), options);
    const figures = lossOf(tested, weights);
    loss += figures.loss * tested.length;
    right += figures.right * tested.length;
    tokens += tested.length;
    for (const example of tested) {
      const guess = surestIn(example, weights);
      guesses.push({ share: guess?.share ?? 0, isRight: guess?.index === example.right });
    }
  }
  return { loss: loss / tokens, right: right / tokens, covered: coveredBy(guesses) };
}

const WANTED = 0.9;

function coveredBy(guesses: readonly { readonly share: number; readonly isRight: boolean }[]): number {
  let [right, covered] = [0, 0];
  [...guesses]
    .sort((a, b) => b.share - a.share)
    .forEach(({ isRight }, i) => {
      right += Number(isRight);
      if (right >= WANTED * (i + 1)) covered = i + 1;
    });
  return covered / guesses.length;
}

function without(example: Example, features: readonly number[]): Example {
  if (features.length === 0) return example;
  const candidates = Float32Array.from(example.candidates);
  for (let from = 0; from < candidates.length; from += CANDIDATE_FEATURES)
    for (const feature of features) candidates[from + feature] = 0;
  return { ...example, candidates };
}
