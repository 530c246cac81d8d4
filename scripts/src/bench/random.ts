/** Chance that is the same in every run with the same seed. */

export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  /** 0 ≤ x < n, a whole number */
  below(n: number): number;
  /** @throws {RangeError} when there is nothing to pick */
  pick<T>(items: readonly T[]): T;
}

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for choosing files and moments. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (n: number) => Math.floor(next() * n);
  return {
    next,
    below,
    pick<T>(items: readonly T[]): T {
      const [item] = items.slice(below(items.length));
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
  };
}

/** @returns `n` different ones, or all, in the order in which they came up */
export function pickSome<T>(items: readonly T[], n: number, random: Random): T[] {
  const left = [...items];
  const picked: T[] = [];
  while (picked.length < n && left.length) picked.push(...left.splice(random.below(left.length), 1));
  return picked;
}
