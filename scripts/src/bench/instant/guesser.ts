/** What is compared: anything that continues a line token by token and says how sure it is. */
import { startWorthSaying } from "@dhi/server/instant/predict-line";
import { suggestionOf } from "@dhi/server/instant/suggestion";
import type { Commit } from "./commits.ts";
import type { Position } from "./positions.ts";
import { type OpenRepository, openRepository, type Repository } from "./repository.ts";

export interface Guess {
  /** One more token of the line. */
  readonly added: string;
  /** That all up to its end is right, 0 to 1; never grows along a line. */
  readonly confidence: number;
}

/** What a guesser is asked; of a position, only what the editor shows. */
export type Cursor = Pick<Position, "indexedPath" | "prefix" | "suffix">;

export interface Guesser {
  readonly name: string;
  guess(repository: Repository, at: Cursor): Guess[];
}

/** Thresholds that are tried: the product's 0.7, 0.85 that issue 7 sets targets for too, and what a repository might want. */
export const THRESHOLDS: readonly number[] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9];
/** Of these, what is typed with. */
export const TYPING_THRESHOLDS: readonly number[] = [0.5, 0.7, 0.85];

/** Below it nothing is ever shown, and nothing need be guessed. */
export const LEAST_CONFIDENCE = 0.02;

/** @returns "" when nothing would be shown */
export function shownAt(guesses: readonly Guess[], threshold: number, { prefix, suffix }: Cursor): string {
  const { text } = startWorthSaying(guesses, { threshold, maxTokens: guesses.length });
  return suggestionOf(text, prefix, suffix);
}

const WORD_CHARACTER = /[\w$\u0080-\uffff]/;

/** Whether a user who accepts `text` has nothing to take back: it ends where a token of the rest does. */
export function isRight(text: string, rest: string): boolean {
  if (!rest.startsWith(text)) return false;
  const next = rest[text.length] ?? "";
  return !(WORD_CHARACTER.test(text.at(-1) ?? "") && WORD_CHARACTER.test(next));
}

/** Commits of a package, oldest first, each with the repository as it was before; the same one, that grows, for all. */
export function* withRepository(
  commits: readonly Commit[],
): Generator<{ readonly commit: Commit; readonly repository: OpenRepository }, void, void> {
  const repository = openRepository();
  try {
    let had: ReadonlyMap<string, string> = new Map();
    for (const commit of commits) {
      moveTo(repository, had, commit.before);
      had = commit.before;
      yield { commit, repository };
    }
  } finally {
    repository.close();
  }
}

function moveTo(
  repository: OpenRepository,
  had: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): void {
  repository.remove([...had.keys()].filter((path) => !files.has(path)));
  repository.put(new Map([...files].filter(([path, text]) => had.get(path) !== text)));
}
