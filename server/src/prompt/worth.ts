/**
 * What a piece of context is worth: the names it brings that a completion may need, and that it shows a definition that is
 * likely used next. The constants were found as those of `leg-weights.ts`, which says how.
 */
import { LEG_WEIGHTS } from "../retrieval/leg-weights.ts";
import type { Snippet } from "../retrieval/snippet.ts";

/** Places after the first at which a leg's find counts half. */
const NAMES_HALF_RANK = 2;
const DEFINITION_HALF_RANK = 4;
/** A definition that is surely needed is worth so many of the names that one leg finds first. */
const DEFINITION = 12;
/** What stands beside definitions and is none is worth a little by itself, whatever names it brings. */
const USE = 0.1;
/** More for each name near the cursor that stands in the same lines, up to three. */
const BESIDE_NEAR = 0.25;
const MOST_NEAR = 3;
/** Names that many relevant snippets hold are needed far more often than each of them says (one: 0.2 %, six: 3.3 %). */
const AGREEMENT = 1.5;
const ENDS_PARTIAL = 4;

/** How likely the names of a snippet are needed: 1 when one leg of full weight has it first. */
export function relevanceOf({ ranks }: Snippet): number {
  let sum = 0;
  for (const [leg, rank] of ranks) sum += LEG_WEIGHTS[leg].names * falling(rank, NAMES_HALF_RANK);
  return sum;
}

/** Of showing what the snippet is, whatever names that brings. */
export function worthOfHead(snippet: Snippet): number {
  let likelihood = 0;
  for (const [leg, rank] of snippet.ranks)
    likelihood += LEG_WEIGHTS[leg].definition * falling(rank, DEFINITION_HALF_RANK);
  return DEFINITION * likelihood + USE * relevanceOf(snippet);
}

/** @returns by how much likelier a name is needed where so many names near the cursor stand beside it */
export const besideNear = (near: number): number => 1 + BESIDE_NEAR * Math.min(MOST_NEAR, near);

/** @param relevance of all snippets that hold the name, added up */
export const worthOfName = (relevance: number, endsPartial: boolean): number =>
  relevance ** AGREEMENT * (endsPartial ? ENDS_PARTIAL : 1);

const falling = (rank: number, half: number): number => half / (half + rank);
