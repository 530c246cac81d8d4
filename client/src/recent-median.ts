/** The median of the last few numbers: one that was far off says nothing. */

export interface RecentMedian {
  add(value: number): void;
  /** `undefined` until there are enough numbers. */
  readonly value: () => number | undefined;
}

/**
 * @param kept how many count
 * @param enough how many it takes to say anything
 */
export function recentMedian(kept: number, enough: number): RecentMedian {
  let values: number[] = [];
  return {
    add(value) {
      values = [...values, value].slice(-kept);
    },
    value() {
      if (values.length < enough) return undefined;
      const sorted = values.toSorted((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)];
    },
  };
}
