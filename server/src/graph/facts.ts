/**
 * What was read of the tree, and all that was made of it, kept while it holds: after a commit of the indexer only that is
 * dropped which changed, and most keystrokes change next to nothing of what others ask about a file.
 */
import { createMemo, type Memo } from "./memo.ts";
import { folderOf, upwards } from "./resolve/paths.ts";

/** @template Now what can be asked of a file as it is by now */
export interface Facts<Now> extends Pick<Memo, "once" | "peek"> {
  /** Read of one file. @param holds by default nothing does: the content is another one */
  ofFile<T extends object | string>(
    path: string,
    key: string,
    read: () => T,
    holds?: (value: T, now: Now) => boolean,
  ): T;
  /** What lies in a folder. @param holds whether it says so that there is, or no longer is, something at `child` */
  ofFolder<T extends object | string>(
    folder: string,
    key: string,
    read: () => T,
    holds: (value: T, child: string, exists: boolean) => boolean,
  ): T;
  /** What files have under a name. @param pathsOf the files that it was found in */
  ofName<T extends object | string>(
    name: string,
    key: string,
    read: () => T,
    pathsOf: (value: T) => readonly string[],
    holds: (value: T, path: string, now: Now) => boolean,
  ): T;
  /** Kept until anything changes. */
  untilChange<T extends object | string>(key: string, read: () => T): T;
  /**
   * Drops what the change of a file has made untrue.
   *
   * @param now `undefined`: all that was read of it may be untrue
   * @param names that it has by now, once each
   */
  changed(path: string, now: Now | undefined, names: Iterable<string>, exists: boolean): void;
  clear(): void;
}

/** Checks of kept answers, by what they are about and then by their key. */
type Checks<Args extends unknown[]> = Map<string, Map<string, (...args: Args) => boolean>>;

const ANYTHING = "anything";

/** @param max see `createMemo` */
export function createFacts<Now>(max: number): Facts<Now> {
  const files: Checks<[now: Now]> = new Map();
  const folders: Checks<[child: string, exists: boolean]> = new Map();
  const byName: Checks<[path: string, now: Now]> = new Map();
  const memo = createMemo(max, () => {
    for (const checks of [files, folders, byName]) checks.clear();
  });

  /** @param args `undefined`: nothing holds */
  function check<Args extends unknown[]>(checks: Checks<Args>, about: string, args: Args | undefined): void {
    const noted = checks.get(about);
    for (const [key, holds] of noted ?? []) {
      if (args && memo.has(key) && holds(...args)) continue;
      memo.drop(key);
      noted?.delete(key);
    }
    if (noted?.size === 0) checks.delete(about);
  }

  return {
    once: memo.once,
    peek: memo.peek,
    ofFile: (path, key, read, holds = () => false) =>
      memo.once(key, () => {
        const value = read();
        note(files, path, key, (now) => holds(value, now));
        return value;
      }),
    ofFolder: (folder, key, read, holds) =>
      memo.once(key, () => {
        const value = read();
        note(folders, folder, key, (child, exists) => holds(value, child, exists));
        return value;
      }),
    ofName: (name, key, read, pathsOf, holds) =>
      memo.once(key, () => {
        const value = read();
        note(byName, name, key, (path, now) => holds(value, path, now));
        for (const path of new Set(pathsOf(value))) note(files, path, key, (now) => holds(value, path, now));
        return value;
      }),
    untilChange: (key, read) =>
      memo.once(key, () => {
        memo.once(ANYTHING, () => ANYTHING);
        return read();
      }),
    changed(path, now, names, exists) {
      memo.drop(ANYTHING);
      check(files, path, now && [now]);
      for (const name of names) check(byName, name, now && [path, now]);
      let child = path;
      for (const folder of upwards(folderOf(path))) {
        check(folders, folder, [child, exists]);
        child = folder;
      }
    },
    clear: memo.clear,
  };
}

function note<Args extends unknown[]>(
  checks: Checks<Args>,
  about: string,
  key: string,
  holds: (...args: Args) => boolean,
): void {
  const noted = checks.get(about) ?? new Map<string, (...args: Args) => boolean>();
  checks.set(about, noted);
  noted.set(key, holds);
}
