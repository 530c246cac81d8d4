/** How much each name near the cursor says about what comes next. */
import type { RetrievalQuery } from "./query.ts";

/**
 * 1 for the nearest, and less for each further one. Measured on 209 cursors of the development packages, for uses
 * of these names: they hold 50 % of the names to come within 1,024 tokens when the second counts half of the first, and
 * 41 % when it counts nearly as much.
 *
 * @param half the rank, from 0, at which a name counts half as much as the nearest
 * @returns in lower case, the nearest first
 */
export function nearness({ names }: Pick<RetrievalQuery, "names">, half = 1): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  names.forEach((name, rank) => {
    const key = name.toLowerCase();
    if (!weights.has(key)) weights.set(key, half / (half + rank));
  });
  return weights;
}
