/** What the ranker is fitted on: every token of added lines, with the candidates for it and which of them was right. */
import { featuresOf } from "@dhi/server/instant/features";
import { isWord, lex } from "@dhi/server/instant/lexer";
import { OpenFileReader } from "@dhi/server/instant/open-file";
import { type LineQuestion, LineSoFar } from "@dhi/server/instant/predict-line";
import { best } from "@dhi/server/instant/ranker";
import { NEXT } from "@dhi/server/instant/ranker-weights";
import { LINE_END } from "@dhi/server/instant/vocabulary";
import { createRandom, type Random } from "../random.ts";
import type { Commit } from "./commits.ts";
import { withRepository } from "./guesser.ts";
import { positionsOf } from "./positions.ts";

export interface Example {
  /** One candidate after another. */
  readonly candidates: Float32Array;
  readonly none: Float32Array;
  /** Which candidate; -1 for none of them. */
  readonly right: number;
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
      const open = new OpenFileReader(repository.vocabulary).read(prefix, suffix);
      collectLine({ corpus: repository, open, path: indexedPath }, rest, random, examples);
    }
  }
  return examples;
}

function collectLine(question: LineQuestion, rest: string, random: Random, examples: Examples): void {
  const { vocabulary } = question.corpus;
  const line = new LineSoFar(question);
  /** How sure the guesses were since the last one that was wrong. */
  let sure: number[] = [];
  let at = 0;
  function add(id: number, spaced?: boolean): void {
    // As if the cursor stood anywhere from there on.
    const since = sure.slice(random.below(sure.length + 1));
    line.guessed = { tokens: since.length, confidence: since.reduce((all, one) => all * one, 1) };
    const { example, confidence } = exampleAt(line, id, spaced);
    examples.next.push(example);
    sure = confidence === undefined ? [] : [...sure, confidence];
  }
  lex(rest, (text, spaced) => {
    const id = vocabulary.find(text);
    add(id, spaced);
    at += Number(spaced);
    // A name is as often asked for at its end as on the way there.
    if (isWord(text))
      for (const typed of text.length > 1 ? [1 + random.below(text.length - 1), text.length] : [1])
        examples.completesWord.push(exampleAt(lineTyped(question, rest.slice(0, at + typed)), id).example);
    at += text.length;
    line.push(id);
  });
  add(LINE_END);
}

const lineTyped = ({ open, ...question }: LineQuestion, typed: string): LineSoFar =>
  new LineSoFar({ ...question, open: { ...open, tail: open.tail + typed } });

/**
 * @param spaced whether a space belongs before it; left out where one cannot be missing
 * @returns `confidence` of the product as it is, when it guesses that token
 */
function exampleAt(
  line: LineSoFar,
  id: number,
  spaced?: boolean,
): { readonly example: Example; readonly confidence: number | undefined } {
  const { candidates, around } = line.whatNext();
  const features = featuresOf(candidates, around);
  const right = candidates.findIndex((c) => c.id === id && (spaced === undefined || c.spaced === spaced));
  const guess = best(candidates, around, NEXT);
  return {
    example: {
      candidates: Float32Array.from(features.candidates),
      none: Float32Array.from(features.none),
      right,
    },
    confidence: guess && guess.candidate === candidates[right] ? guess.confidence : undefined,
  };
}
