/** One way of finding snippets. Legs complete each other: what one misses another finds (measured: design §3). */
import type { IndexDb } from "@dhi/core/index-db";
import type { Candidate } from "./chunk-rows.ts";
import type { RetrievalQuery } from "./query.ts";

export type LegName = "definitions" | "lexical" | "vector";

/** @returns best first; `[]` when it has nothing */
export type Leg = (
  db: IndexDb,
  query: RetrievalQuery,
  signal: AbortSignal,
) => Candidate[] | Promise<Candidate[]>;
