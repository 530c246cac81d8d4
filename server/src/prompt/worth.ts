/**
 * What a piece of context is worth: the names it brings that a completion may need, and that it shows a definition that is
 * likely used next. The constants were found on the development packages of `npm run eval`.
 */
import type { LegName } from "@dhi/core/protocol";
import type { Snippet } from "../retrieval/snippet.ts";

export const TUNING = {
  k: 4,
  kDef: 4,
  delta: 1.5,
  hits: 0.5,
  partial: 4,
  base: 4,
  baseOther: 0.1,
  imports: 0.5,
};
export const WORD_WEIGHTS: Record<LegName, number> = {
  definitions: 0.5,
  calls: 0.5,
  lexical: 1,
  vector: 1,
  similar: 1,
  edits: 1,
  tests: 1,
  siblings: 1,
};
export const DEF_WEIGHTS: Record<LegName, number> = {
  definitions: 1,
  calls: 0.5,
  lexical: 0,
  vector: 0,
  similar: 0,
  edits: 0,
  tests: 0,
  siblings: 0,
};

/** How likely the names of a snippet are needed: 1 when one leg has it first. */
export function relevanceOf({ ranks, kind }: Snippet): number {
  let sum = 0;
  for (const [leg, rank] of ranks) sum += (WORD_WEIGHTS[leg] * TUNING.k) / (TUNING.k + rank);
  return sum * (kind === "imports" ? TUNING.imports : 1);
}

/** Of showing what the snippet is, whatever names that brings. */
export function worthOfHead(snippet: Snippet): number {
  let sum = 0;
  for (const [leg, rank] of snippet.ranks)
    sum += (DEF_WEIGHTS[leg] * TUNING.base * TUNING.kDef) / (TUNING.kDef + rank);
  return sum + TUNING.baseOther * relevanceOf(snippet);
}

/** How much likelier a name is needed where so many names near the cursor stand beside it, three at most. */
export const besideNear = (near: number): number => 1 + TUNING.hits * Math.min(3, near);

/**
 * Names that many relevant snippets hold are needed far more often than each of them says (measured: one holder 0.2 %, six
 * 3.3 %), hence the exponent.
 *
 * @param relevance of all snippets that hold the name, added up
 */
export const worthOfName = (relevance: number, endsPartial: boolean): number =>
  relevance ** TUNING.delta * (endsPartial ? TUNING.partial : 1);
