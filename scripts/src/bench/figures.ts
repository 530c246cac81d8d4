/** Numbers out of measurements. */

/** @param p 0 to 100 @returns the smallest value that at least `p` percent do not exceed; NaN for none */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** @returns how many more of each there are now; what did not change is left out */
export function difference(
  now: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  const changed = Object.entries(now).map(([name, n]) => [name, n - (before[name] ?? 0)] as const);
  return Object.fromEntries(changed.filter(([, n]) => n !== 0));
}

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};
