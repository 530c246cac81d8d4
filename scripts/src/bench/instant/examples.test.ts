import {
  CANDIDATE_FEATURES,
  GUESSED_FEATURE,
  NONE_FEATURES,
  NONE_GUESSED_FEATURE,
} from "@dhi/server/instant/features";
import { expect, test } from "vitest";
import { assumeGuesses, type Example } from "./examples.ts";

/** One candidate; the weights below are half sure of it. */
const example = (right: number, startsLine = false): Example => ({
  candidates: new Float32Array(CANDIDATE_FEATURES),
  none: new Float32Array(NONE_FEATURES),
  ...{ right, startsLine },
});
const HALF_SURE = { candidate: new Float64Array(1), none: new Float64Array(1) };
/** Takes all the guesses that there are. */
const longest = { next: () => 0, below: () => 0, pick: <T>(from: readonly T[]): T => from[0] as T };

test("a token is asked for behind the guesses that were right in a row in its line", () => {
  const examples = [example(0, true), example(0), example(-1), example(0), example(0, true)];
  assumeGuesses(examples, HALF_SURE, longest);
  const guessed = examples.map(({ candidates }) => Math.round(Math.expm1(candidates[GUESSED_FEATURE] ?? 0)));
  expect(guessed).toEqual([0, 1, 2, 0, 0]);
});

test("what is said of the guesses stands with the candidates and with the case that it is none", () => {
  const [, second = example(0)] = [example(0, true), example(0)];
  assumeGuesses([example(0, true), second], HALF_SURE, longest);
  expect(second.candidates.slice(GUESSED_FEATURE, GUESSED_FEATURE + 2)).toEqual(
    Float32Array.of(Math.log(2), Math.log(0.5)),
  );
  expect(second.none.slice(NONE_GUESSED_FEATURE, NONE_GUESSED_FEATURE + 2)).toEqual(
    Float32Array.of(Math.log(2), Math.log(0.5)),
  );
});
