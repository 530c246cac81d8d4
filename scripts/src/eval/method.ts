/** What is compared: ways of choosing context for a cursor. */
import type { Corpus } from "./corpus.ts";
import type { Cursor } from "./cursors.ts";
import type { Facts } from "./facts.ts";
import type { EvalSnippet } from "./metrics.ts";
import type { Served } from "./served.ts";
import type { Surroundings } from "./surroundings.ts";

/** Everything a method may look at. The cursor's continuation and gold are for the oracle and for scoring only. */
export interface Situation {
  readonly corpus: Corpus;
  readonly facts: Facts;
  readonly served: Served;
  readonly cursor: Cursor;
  readonly surroundings: Surroundings;
}

/** @returns best first, without the open file; what fits into a budget is taken from the front */
export type Baseline = (situation: Situation) => EvalSnippet[] | Promise<EvalSnippet[]>;
