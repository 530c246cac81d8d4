/** Which files somebody works on: those that a completion was asked in, or that changed, since the server started. */
export interface FileUses {
  note(path: string): void;
  has(path: string): boolean;
  /** @returns those that were noted for the first time since the last call */
  takeNew(): string[];
  /** The last use first. */
  newestFirst(): string[];
  /** @returns the one that was used longest ago, before `path` was, of those that are meant; it is unused from here on */
  forgetOldest(path: string, isMeant: (path: string) => boolean): string | undefined;
}

/** A day's work; beyond, the files that were used longest ago are as good as unused. */
const MOST = 1_000;

export function createFileUses(most: number = MOST): FileUses {
  /** The oldest use first. */
  const uses = new Set<string>();
  let fresh: string[] = [];
  return {
    note(path) {
      if (!uses.delete(path)) fresh.push(path);
      uses.add(path);
      const [oldest] = uses;
      if (uses.size > most && oldest !== undefined) uses.delete(oldest);
    },
    has: (path) => uses.has(path),
    takeNew() {
      const taken = fresh;
      fresh = [];
      return taken;
    },
    newestFirst: () => [...uses].reverse(),
    forgetOldest(before, isMeant) {
      for (const path of uses) {
        if (path === before) return undefined;
        if (!isMeant(path)) continue;
        uses.delete(path);
        return path;
      }
      return undefined;
    },
  };
}
