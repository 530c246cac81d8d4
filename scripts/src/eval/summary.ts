/** A run's figures on the screen. */
import type { Comparison } from "./comparison.ts";
import { groupTable, legTable, methodTable, verdict } from "./tables.ts";

export function summary(comparison: Comparison): string {
  const { cursors, cursorsInNeed, legs, retrieval } = comparison;
  return [
    `${cursors} cursors, of which ${cursorsInNeed} need a name that the open file does not show`,
    verdict(comparison),
    methodTable(comparison),
    legs.length ? legTable(comparison) : "",
    "recall@5 / coverage@1024:",
    ...(["language", "kind", "package"] as const).map((by) => groupTable(comparison, by)),
    `retrieval: p50 ${retrieval.p50.toFixed(1)} ms, p95 ${retrieval.p95.toFixed(1)} ms`,
  ]
    .filter(Boolean)
    .join("\n\n");
}
