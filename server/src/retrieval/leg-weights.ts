/**
 * What each leg's word counts. Found by coordinate search on the development packages of `npm run eval` (284 cursors of
 * rxjs, effect, element-ui, carbon-components-svelte, SQLAlchemy, gin, pydantic-core and JPype1), from reasoned values and
 * only where the gain was above the noise: coverage and definition recall of what is packed. The test packages were not
 * looked at.
 */
import type { LegName } from "@dhi/core/protocol";

export interface LegWeight {
  /** Of its ranks, when lists are fused. */
  readonly rank: number;
  /** Of the names in what it finds: how well they foretell those that come next. */
  readonly names: number;
  /** Of its finds as definitions that come next. */
  readonly definition: number;
}

export const LEG_WEIGHTS: Readonly<Record<LegName, LegWeight>> = {
  definitions: { rank: 1, names: 0.25, definition: 1 },
  // Callers and callees bring what other legs find too: nothing was gained by counting them once more.
  calls: { rank: 0.25, names: 0, definition: 0 },
  lexical: { rank: 1, names: 1, definition: 0 },
  vector: { rank: 1, names: 1, definition: 0 },
  similar: { rank: 1, names: 1, definition: 0 },
  edits: { rank: 0.5, names: 1, definition: 0 },
  tests: { rank: 0.5, names: 1, definition: 0 },
  siblings: { rank: 2, names: 1, definition: 0 },
};

export const RANK_WEIGHTS: Readonly<Partial<Record<LegName, number>>> = Object.fromEntries(
  Object.entries(LEG_WEIGHTS).map(([leg, { rank }]) => [leg, rank]),
);
