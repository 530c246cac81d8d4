/** Commit replay and typing: what each guesser shows where a commit's author wrote, and whether it was that. */
import { createRandom, pickSome } from "../random.ts";
import type { Commit } from "./commits.ts";
import {
  type Guess,
  type Guesser,
  isRight,
  shownAt,
  THRESHOLDS,
  TYPING_THRESHOLDS,
  withRepository,
} from "./guesser.ts";
import { isBesideSource } from "./histories.ts";
import { type Position, positionsOf } from "./positions.ts";
import type { Repository } from "./repository.ts";
import { type Typed, typeKeyByKey, typeLine, typeWithWords } from "./typing.ts";

export interface PositionResult {
  readonly package: string;
  /** Which of the package's commits, from 0. */
  readonly commit: number;
  readonly path: string;
  readonly kind: Position["kind"];
  readonly isSource: boolean;
  readonly isNewFile: boolean;
  readonly restLength: number;
  readonly at: readonly ShownAt[];
  /** The shortest start that could be shown. */
  readonly surest: { readonly confidence: number; readonly right: boolean } | undefined;
  /** All starts of the guessed line: how sure, and whether right. */
  readonly starts: readonly Start[];
  /** For positions at a line start, in the order of `TYPING_THRESHOLDS`. */
  readonly typed?: readonly Typed[];
  /** The same line with the words of the open file alone. */
  readonly typedWithWords?: Typed;
}

export interface Start {
  readonly confidence: number;
  readonly right: boolean;
  /** Whether what would be shown of it is right; `undefined` when that is nothing. */
  readonly shownRight: boolean | undefined;
}

/** For one of {@link THRESHOLDS}, in their order. */
export interface ShownAt {
  readonly shown: string;
  readonly right: boolean;
}

export interface ReplayOptions {
  readonly perPackage: number;
  readonly seed: number;
  /** Whether lines are typed, asking after each token or, which takes three times as long, after each key. */
  readonly typing: "tokens" | "keys" | "none";
  /** The commit's files are written one after another, in no order, and each is in the index once it is done. */
  readonly savesAsItGoes?: boolean;
}

/** @returns for each guesser its results, at the same positions */
export function replay(
  name: string,
  commits: readonly Commit[],
  guessers: readonly Guesser[],
  { perPackage, seed, typing, savesAsItGoes = false }: ReplayOptions,
): PositionResult[][] {
  const results = guessers.map((): PositionResult[] => []);
  const random = createRandom(seed);
  let number = -1;
  for (const { commit, repository } of withRepository(commits)) {
    number++;
    const positions = positionsOf(commit, { count: Math.ceil(perPackage / commits.length), random });
    const changed = [...new Set(commit.runs.map(({ path }) => path))];
    for (const path of pickSome(changed, changed.length, createRandom(seed))) {
      for (const position of positions)
        if (position.path === path)
          guessers.forEach((guesser, i) => {
            const result = resultAt(guesser, repository, position, typing);
            results[i]?.push({ package: name, commit: number, ...result });
          });
      if (savesAsItGoes) repository.put(new Map([[path, commit.after.get(path) ?? ""]]));
    }
  }
  return results;
}

function resultAt(
  guesser: Guesser,
  repository: Repository,
  position: Position,
  typing: ReplayOptions["typing"],
): Omit<PositionResult, "package" | "commit"> {
  const { path, kind, rest, isNewFile } = position;
  const guesses = guesser.guess(repository, position);
  return {
    ...{ path, kind, isNewFile, isSource: !isBesideSource(path), restLength: rest.length },
    at: THRESHOLDS.map((threshold) => {
      const shown = shownAt(guesses, threshold, position);
      return { shown, right: shown !== "" && isRight(shown, rest) };
    }),
    surest: surestOf(guesses, position),
    starts: startsOf(guesses, position),
    ...(kind === "line start" &&
      typing !== "none" && {
        typed:
          typing === "tokens"
            ? typeLine(guesser, repository, position)
            : TYPING_THRESHOLDS.map((threshold) => typeKeyByKey(guesser, repository, position, threshold)),
        typedWithWords: typeWithWords(position),
      }),
  };
}

function startsOf(guesses: readonly Guess[], position: Position): Start[] {
  const { rest } = position;
  let text = "";
  return guesses.map(({ added, confidence }) => {
    text += added;
    const shown = shownAt(guesses, confidence, position);
    const shownRight = shown === "" ? undefined : isRight(shown, rest);
    return { confidence, right: isRight(text, rest), shownRight };
  });
}

function surestOf(guesses: readonly Guess[], position: Position): PositionResult["surest"] {
  for (const { confidence } of guesses) {
    const text = shownAt(guesses, confidence, position);
    if (text !== "") return { confidence, right: isRight(text, position.rest) };
  }
  return undefined;
}
