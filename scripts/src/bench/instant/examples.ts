/** What the ranker is fitted on: every token of added lines, with the candidates for it and which of them was right. */
import {
  CANDIDATE_FEATURES,
  featuresOf,
  GUESSED_FEATURE,
  NONE_GUESSED_FEATURE,
} from "@dhi/server/instant/features";
import { isWord, lex } from "@dhi/server/instant/lexer";
import { OpenFileReader } from "@dhi/server/instant/open-file";
import { type LineQuestion, LineSoFar } from "@dhi/server/instant/predict-line";
import { LINE_END } from "@dhi/server/instant/vocabulary";
import { createRandom, type Random } from "../random.ts";
import type { Commit } from "./commits.ts";
import { type Fit, surestIn } from "./fit.ts";
import { withRepository } from "./guesser.ts";
import { positionsOf } from "./positions.ts";

export interface Example {
  /** One candidate after another. */
  readonly candidates: Float32Array;
  readonly none: Float32Array;
  /** Which candidate; -1 for none of them. */
  readonly right: number;
  /** The first token of its line. */
  readonly startsLine: boolean;
}

export interface Examples {
  readonly next: Example[];
  readonly completesWord: Example[];
}

export function examplesOf(
  commits: readonly Commit[],
  { perPackage, seed }: { readonly perPackage: number; readonly seed: number },
): Examples {
  const random = createRandom(seed);
  const examples: Examples = { next: [], completesWord: [] };
  for (const { commit, repository } of withRepository(commits)) {
    const positions = positionsOf(commit, { count: Math.ceil(perPackage / commits.length), random });
    for (const { prefix, suffix, rest, indexedPath, kind } of positions) {
      if (kind !== "line start") continue;
      const { corpus } = repository;
      const open = new OpenFileReader(corpus.vocabulary).read(prefix, suffix);
      const symbols = repository.symbolsAt({ indexedPath, prefix, suffix });
      collectLine({ corpus, open, path: indexedPath, symbols }, rest, random, examples);
    }
  }
  return examples;
}

function collectLine(question: LineQuestion, rest: string, random: Random, examples: Examples): void {
  const { vocabulary } = question.corpus;
  const line = new LineSoFar(question);
  let at = 0;
  let startsLine = true;
  lex(rest, (text, spaced) => {
    const id = vocabulary.find(text);
    examples.next.push(exampleAt(line, id, { spaced, startsLine }));
    startsLine = false;
    at += Number(spaced);
    // A name is as often asked for at its end as on the way there.
    if (isWord(text))
      for (const typed of text.length > 1 ? [1 + random.below(text.length - 1), text.length] : [1])
        examples.completesWord.push(exampleAt(lineTyped(question, rest.slice(0, at + typed)), id));
    at += text.length;
    line.push(id, { spaced, text });
  });
  examples.next.push(exampleAt(line, LINE_END));
}

const lineTyped = ({ open, ...question }: LineQuestion, typed: string): LineSoFar =>
  new LineSoFar({ ...question, open: { ...open, tail: open.tail + typed } });

/** @param spaced whether a space belongs before it; left out where one cannot be missing */
function exampleAt(
  line: LineSoFar,
  id: number,
  { spaced, startsLine = false }: { readonly spaced?: boolean; readonly startsLine?: boolean } = {},
): Example {
  const { candidates, around } = line.whatNext();
  const features = featuresOf(candidates, around);
  return {
    candidates: Float32Array.from(features.candidates),
    none: Float32Array.from(features.none),
    right: candidates.findIndex((c) => c.id === id && (spaced === undefined || c.spaced === spaced)),
    startsLine,
  };
}

/**
 * Says of each token that some of those before it in its line were guessed, as many as `weights` guess rightly in a row or
 * any smaller number: as if the cursor stood anywhere from there on.
 *
 * @param examples lines one after another, whose features are changed
 */
export function assumeGuesses(examples: readonly Example[], weights: Fit, random: Random): void {
  let sure: number[] = [];
  for (const example of examples) {
    if (example.startsLine) sure = [];
    const since = sure.slice(random.below(sure.length + 1));
    const guessed = [Math.log1p(since.length), since.reduce((sum, one) => sum + Math.log(one), 0)];
    for (let from = GUESSED_FEATURE; from < example.candidates.length; from += CANDIDATE_FEATURES)
      example.candidates.set(guessed, from);
    example.none.set(guessed, NONE_GUESSED_FEATURE);
    const guess = surestIn(example, weights);
    sure = guess?.index === example.right ? [...sure, guess.share] : [];
  }
}
