/** How the last minutes went, in a sentence. */
import { duration, many } from "../words/format.ts";
import { EVERY_MS, type Hop, type Moment } from "./live-figures.ts";

export function momentWords(moments: readonly Moment[], hop: Hop): string {
  const asked = moments.reduce((sum, { requests }) => sum + requests, 0);
  const minutes = Math.max(1, Math.round((moments.length * EVERY_MS) / 60_000));
  const span = minutes === 1 ? "minute" : `${minutes} minutes`;
  return `${many(asked, "completion")} in the last ${span}${slowestWords(moments, hop)}`;
}

/** @returns the longest of the times within which 95 % were, in milliseconds; 0 when there was none */
export const longest = (moments: readonly Moment[], hop: Hop): number =>
  Math.max(0, ...moments.map(({ times }) => times.get(hop)?.p95 ?? 0));

function slowestWords(moments: readonly Moment[], hop: Hop): string {
  const ms = longest(moments, hop);
  return ms ? `; 95 % of the slowest ${EVERY_MS / 1_000} s within ${duration(ms)}` : "";
}
