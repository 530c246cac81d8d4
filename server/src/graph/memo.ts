/** Answers that are kept until one of those they were made of is dropped, however many steps away that is. */

export interface Memo {
  /**
   * @param key the question and its arguments
   * @param compute what it asks this memo is what its answer is made of
   * @param meanwhile the answer for those who ask it while it is computed, such as a class that extends itself
   */
  once<T extends object | string>(key: string, compute: () => T, meanwhile?: T): T;
  has(key: string): boolean;
  /** @returns what {@link once} was given for the key, while that is kept */
  peek<T extends object | string>(key: string): T | undefined;
  /** Forgets an answer, with all that were made of it. One that is not kept is no error. */
  drop(key: string): void;
  clear(): void;
}

interface Entry {
  value: unknown;
  /** Keys of the answers that are made of this one, and of some that once were. */
  readonly readers: Set<string>;
}

/**
 * @param max answers kept; they are all dropped when there are more, unless one is being computed
 * @param onClear called whenever all are dropped
 */
export function createMemo(max: number, onClear: () => void = () => {}): Memo {
  const kept = new Map<string, Entry>();
  /** Keys of what is being computed, the innermost last. */
  const computing: string[] = [];

  /** Makes the answer a part of the one that is being computed. */
  function readEntry<T>(entry: Entry): T {
    const reader = computing.at(-1);
    if (reader !== undefined) entry.readers.add(reader);
    // Keys name what is kept under them, so the type is the one it was put in with.
    return entry.value as T;
  }

  function clear(): void {
    kept.clear();
    onClear();
  }

  function compute<T>(key: string, make: () => T, meanwhile: T | undefined): Entry {
    if (computing.length === 0 && kept.size >= max) clear();
    const entry: Entry = { value: meanwhile, readers: new Set() };
    if (meanwhile !== undefined) kept.set(key, entry);
    computing.push(key);
    try {
      entry.value = make();
      kept.set(key, entry);
    } catch (error) {
      kept.delete(key);
      throw error;
    } finally {
      computing.pop();
    }
    return entry;
  }

  return {
    once: <T extends object | string>(key: string, make: () => T, meanwhile?: T): T =>
      readEntry(kept.get(key) ?? compute(key, make, meanwhile)),
    has: (key) => kept.has(key),
    peek<T extends object | string>(key: string): T | undefined {
      const entry = kept.get(key);
      return entry && readEntry(entry);
    },
    drop(key) {
      const dropped = [key];
      // What is added on the way is visited too.
      for (const one of dropped) {
        const readers = kept.get(one)?.readers;
        kept.delete(one);
        // One by one: as arguments of one call, a hundred thousand are too many.
        for (const reader of readers ?? []) dropped.push(reader);
      }
    },
    clear,
  };
}
