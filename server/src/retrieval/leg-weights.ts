/**
 * How much each leg's ranks count when their lists are fused. Reasoned, then learned on the development packages of
 * `npm run eval`; the test packages were not looked at.
 */
import type { LegName } from "@dhi/core/protocol";

export const LEG_WEIGHTS: Readonly<Record<LegName, number>> = {
  definitions: 1,
  calls: 1,
  lexical: 1,
  vector: 0.5,
  similar: 0.5,
  edits: 0.5,
  tests: 0.5,
  siblings: 0.5,
};
