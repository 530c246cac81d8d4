import { groupBy } from "./group-by.ts";

/** One of each package in turn, so that the first of them are a balanced sample whatever their number. */
export function interleaved<T extends { readonly cursor: { readonly package: string } }>(
  items: readonly T[],
): T[] {
  const packages = [...groupBy(items, ({ cursor }) => cursor.package).values()];
  const longest = Math.max(0, ...packages.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => packages.flatMap((items) => items.slice(i, i + 1))).flat();
}
