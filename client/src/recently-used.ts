/** The files that were looked at last. */

export interface RecentlyUsed {
  used(path: string): void;
  closed(path: string): void;
  /** Last used first. */
  list(): readonly string[];
}

export function createRecentlyUsed(most: number): RecentlyUsed {
  let paths: readonly string[] = [];
  const without = (path: string) => paths.filter((other) => other !== path);
  return {
    used(path) {
      paths = [path, ...without(path)].slice(0, most);
    },
    closed(path) {
      paths = without(path);
    },
    list: () => paths,
  };
}
