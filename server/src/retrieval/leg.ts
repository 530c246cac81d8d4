/** One way of finding snippets. Legs complete each other: what one misses another finds (measured: `docs/eval`). */
import type { IndexDb } from "@dhi/core/index-db";
import type { Candidate } from "./chunk-rows.ts";
import type { RetrievalQuery } from "./query.ts";

/** What a leg found, and how good it thinks that is: higher is better, comparable within one answer of one leg only. */
export interface Found extends Candidate {
  readonly score: number;
}

/** @returns best first; `[]` when it has nothing */
export type Leg = (db: IndexDb, query: RetrievalQuery, signal: AbortSignal) => Found[] | Promise<Found[]>;

/** For a list whose order says all that is known. */
export const byRank = (candidates: readonly Candidate[]): Found[] =>
  candidates.map((candidate, rank) => ({ ...candidate, score: 1 / (rank + 1) }));
