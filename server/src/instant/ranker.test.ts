import { expect, test } from "vitest";
import type { Candidate } from "./evidence.ts";
import { FEATURE_NAMES } from "./features.ts";
import { NameCounts } from "./name-uses.ts";
import { best, candidateScorer, MOST_RANKED, mostPromising, noneScorer } from "./ranker.ts";
import { Vocabulary } from "./vocabulary.ts";

const vocabulary = new Vocabulary();
const candidate = (text: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{ id: vocabulary.add(text), spaced: false, matched: 1, renamed: 0, support: 1, openSupport: 0 },
  ...{ distance: 0, aligned: 0, probability: 0.5, openProbability: 0, repositoryProbability: 0, share: 0 },
  ...{ namesAround: 0, same: 0, likeness: 0, openLikeness: 0, lineLikeness: 0 },
  ...more,
});
const counts = new NameCounts(vocabulary);
const around = {
  ...{ vocabulary, lastUse: new Map<number, number>(), line: [], typedLength: 0 },
  ...{
    guessed: { tokens: 0, confidence: 1 },
    names: { above: counts, below: counts },
    usesInRepository: () => 0,
    definitions: () => 0,
  },
  ...{ members: new Map(), call: undefined, inScope: new Map() },
  kinds: { name: 0, nameIsSpaced: false, others: [], share: () => 0 },
};
/** Of the same score whatever it is asked of. */
const constant = { candidate: candidateScorer([0]), none: noneScorer([0]) };

test("is as sure of each as of none of them when nothing speaks for any", () => {
  expect(best([candidate("a"), candidate("b")], around, constant)?.confidence).toBeCloseTo(1 / 3);
});

test("is the less sure the likelier it is that none is right", () => {
  const twice = { ...constant, none: noneScorer([1_000 * Math.log(2)]) };
  expect(best([candidate("a"), candidate("b")], around, twice)?.confidence).toBeCloseTo(1 / 4);
});

test("takes the candidate that the weights speak for", () => {
  // One hidden unit that looks at one feature.
  const inputs = candidateScorer([0]).inputs;
  const weights = Array.from({ length: inputs + 3 }, () => 0);
  weights[1 + FEATURE_NAMES.indexOf("match")] = 1_000;
  weights[inputs + 2] = 5_000;
  const found = best([candidate("a"), candidate("b", { matched: 9 })], around, {
    ...constant,
    candidate: candidateScorer(weights),
  });
  expect(vocabulary.text(found?.candidate.id ?? 0)).toBe("b");
});

test("says nothing without a candidate", () => {
  expect(best([], around, constant)).toBeUndefined();
});

test("leaves out those without a chance, but for what matches under other names", () => {
  const many = Array.from({ length: 30 }, (_, i) => candidate(`n${i}`, { probability: i / 100 }));
  const kept = mostPromising([...many, candidate("renamed", { probability: 0, renamed: 20 })]);
  expect(kept).toHaveLength(MOST_RANKED);
  expect(vocabulary.text(kept[0]?.id ?? 0)).toBe("renamed");
});
