/** What a method's context is worth, without any model: does it hold the definitions and names that come next? */
import { identifiersOf } from "@dhi/core/identifiers";
import type { Cursor } from "./cursors.ts";
import type { Facts } from "./facts.ts";
import { packInto, snippetTokens } from "./tokens.ts";

/** A piece of the package that a method would put into the prompt. */
export interface EvalSnippet {
  readonly path: string;
  /** Of the lines it stands for, 1-based and inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** @returns identifiers of the continuation that only other files of the package have, not the open one; may be empty */
export function neededNames(
  { prefix, suffix, identifiers, path }: Cursor,
  facts: Facts,
): ReadonlySet<string> {
  const visible = new Set(identifiersOf(`${prefix}\n${suffix}`));
  return new Set(identifiers.filter((name) => !visible.has(name) && facts.standsElsewhere(name, path)));
}

/** @returns whether one of the first `k` snippets shows a line on which a gold name is defined */
export const recallAt = (
  k: number,
  snippets: readonly EvalSnippet[],
  { gold }: Pick<Cursor, "gold">,
): boolean =>
  snippets
    .slice(0, k)
    .some((snippet) =>
      gold.some(
        ({ path, name, nameLine }) =>
          snippet.path === path &&
          snippet.startLine <= nameLine &&
          nameLine <= snippet.endLine &&
          identifiersOf(snippet.text).includes(name),
      ),
    );

/** @returns the share of `needed` that stands in the snippets; NaN when nothing is needed */
export function coverage(snippets: readonly EvalSnippet[], needed: ReadonlySet<string>): number {
  const shown = new Set(snippets.flatMap(({ text }) => identifiersOf(text)));
  return [...needed].filter((name) => shown.has(name)).length / needed.size;
}

export const recallDepths = [1, 5, 10] as const;
export const budgets = [512, 1024, 2048] as const;
/** Of the prompt's tokens, for snippets; the budget that targets are set for. */
export const BUDGET = 1024;

export interface Scores {
  /** By depth, among what fits into {@link BUDGET}. */
  readonly recall: Readonly<Record<number, boolean>>;
  /** By budget; NaN when nothing is needed. */
  readonly coverage: Readonly<Record<number, number>>;
  /** Of {@link BUDGET}. */
  readonly tokens: number;
}

/**
 * @param packed by budget: what fits into it, best first
 * @param tokens of {@link BUDGET}
 */
export function scoresOf(
  packed: ReadonlyMap<number, readonly EvalSnippet[]>,
  cursor: Cursor,
  needed: ReadonlySet<string>,
  tokens = tokensOf(packed.get(BUDGET) ?? []),
): Scores {
  const main = packed.get(BUDGET) ?? [];
  return {
    recall: Object.fromEntries(recallDepths.map((k) => [k, recallAt(k, main, cursor)])),
    coverage: Object.fromEntries(
      [...packed].map(([budget, snippets]) => [budget, coverage(snippets, needed)]),
    ),
    tokens,
  };
}

const tokensOf = (snippets: readonly EvalSnippet[]): number =>
  snippets.reduce((total, snippet) => total + snippetTokens(snippet), 0);

/** For a method that ranks snippets and leaves it at that. */
export const packedBy = (ranked: readonly EvalSnippet[]): Map<number, readonly EvalSnippet[]> =>
  new Map(budgets.map((budget) => [budget, packInto(budget, ranked)]));
