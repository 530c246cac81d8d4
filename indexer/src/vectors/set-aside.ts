/** What fails alone, while everything beside it works: it waits for another try, ever longer, and holds up nothing. */

export interface SetAside {
  /** @param words what failed and why, for people */
  put(key: string, words: string): void;
  /** Its time to be tried again has not come. */
  isWaiting(key: string): boolean;
  /** Worked, or is not wanted any more. */
  drop(key: string): void;
  /** Those to try now. They stay here until they are dropped. */
  due(): string[];
  keys(): string[];
  /** Milliseconds until the next is due; `Infinity` when nothing is here. */
  untilDue(): number;
  /** The words of one of them. */
  example(): string | undefined;
}

const MOST_MS = 3_600_000;

/** @param firstMs until the second try; each further wait is twice as long, up to an hour */
export function createSetAside(firstMs: number): SetAside {
  const failures = new Map<string, { readonly tries: number; readonly at: number; readonly words: string }>();
  return {
    put(key, words) {
      const tries = failures.get(key)?.tries ?? 0;
      const wait = Math.min(MOST_MS, firstMs * 2 ** tries);
      failures.set(key, { tries: tries + 1, at: performance.now() + wait, words });
    },
    isWaiting: (key) => (failures.get(key)?.at ?? 0) > performance.now(),
    drop: (key) => failures.delete(key),
    due() {
      const now = performance.now();
      return [...failures].flatMap(([key, { at }]) => (at <= now ? key : []));
    },
    keys: () => [...failures.keys()],
    untilDue() {
      const now = performance.now();
      let soonest = Number.POSITIVE_INFINITY;
      for (const { at } of failures.values()) soonest = Math.min(soonest, Math.max(1, at - now));
      return soonest;
    },
    example: () => failures.values().next().value?.words,
  };
}
