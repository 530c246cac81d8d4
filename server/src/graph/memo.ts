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
  /** Keys of the answers that are made of this one, and of some that once were; most have none. */
  readers: Set<string> | undefined;
}

const NOBODY: ReadonlySet<string> = new Set();

/** On average. An answer that holds for days is read by ever others, such as each use on each line it was ever on. */
const MAX_READERS = 10;

/**
 * @param max answers kept; they are all dropped when there are more, or when they have more than {@link MAX_READERS} each,
 * unless one is being computed
 * @param onClear called whenever all are dropped
 */
export function createMemo(max: number, onClear: () => void = () => {}): Memo {
  const kept = new Map<string, Entry>();
  /** Readers of all that is kept, together. */
  let readerCount = 0;
  /** Keys of what is being computed, the innermost last. */
  const computing: string[] = [];

  /** Makes the answer a part of the one that is being computed. */
  function readEntry<T>(entry: Entry): T {
    const reader = computing.at(-1);
    if (reader !== undefined && !entry.readers?.has(reader)) {
      entry.readers ??= new Set();
      entry.readers.add(reader);
      readerCount++;
    }
    // Keys name what is kept under them, so the type is the one it was put in with.
    return entry.value as T;
  }

  function forget(key: string): Iterable<string> {
    const entry = kept.get(key);
    kept.delete(key);
    const readers = entry?.readers ?? NOBODY;
    readerCount -= readers.size;
    return readers;
  }

  function clear(): void {
    kept.clear();
    readerCount = 0;
    onClear();
  }

  function compute<T>(key: string, make: () => T, meanwhile: T | undefined): Entry {
    if (computing.length === 0 && (kept.size >= max || readerCount >= max * MAX_READERS)) clear();
    const entry: Entry = { value: meanwhile, readers: undefined };
    if (meanwhile !== undefined) kept.set(key, entry);
    computing.push(key);
    try {
      entry.value = make();
      kept.set(key, entry);
    } catch (error) {
      forget(key);
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
        // One by one: as arguments of one call, a hundred thousand are too many.
        for (const reader of forget(one)) dropped.push(reader);
      }
    },
    clear,
  };
}
