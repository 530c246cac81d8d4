/** Single events → one change that stands for all of them. */

export interface Changes {
  /** Relative paths of files or folders, deleted ones too; each once. */
  readonly paths: readonly string[];
  /** Git moved the tree, or what is ignored changed: any path may differ. */
  readonly everything: boolean;
  /** Folders appeared, so there may be new ones to ignore. */
  readonly newFolders: boolean;
}

export interface Batch {
  add(path: string, everything: boolean, newFolder: boolean): void;
  /** Drops what is gathered. */
  close(): void;
}

/** An editor saves within a millisecond or two: truncates and writes, or writes beside and renames. */
const SAVE_QUIET_MS = 10;
/** More than the names that a save touches. */
const SAVE_PATHS = 4;
/** Long enough that a build is few batches. */
const QUIET_MS = 100;
/** Git says itself when it is done; between its last two files, `index` and `HEAD`, it takes a few milliseconds. */
const GIT_QUIET_MS = 40;
const HELD_LOOK_MS = 20;
/** In which a file that git opened is written. */
const FRESH_MS = 20;
/** A build that never stops writing must not keep a save waiting. */
const MAX_WAIT_MS = 1_000;

export interface BatchOptions {
  readonly onChanges: (changes: Changes) => void;
  /** Asked before a batch is let go; while it says so, everything waits, however long. */
  readonly isHeld: () => boolean;
  /** Gets now and then, while much is held back, the paths that came since; the last just before they come with it. */
  readonly onHeld?: (paths: readonly string[]) => void;
}

export function createBatch({ onChanges, isHeld, onHeld = () => {} }: BatchOptions): Batch {
  const paths = new Set<string>();
  /** Of the paths, those of the last moments. */
  let fresh = new Set<string>();
  let freshSince = 0;
  let everything = false;
  let newFolders = false;
  let firstAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    if (isHeld()) {
      timer = setTimeout(flush, HELD_LOOK_MS);
      return;
    }
    if (everything && paths.size > SAVE_PATHS) onHeld([...fresh]);
    fresh = new Set();
    const changes = { paths: [...paths], everything, newFolders };
    paths.clear();
    everything = newFolders = false;
    timer = undefined;
    onChanges(changes);
  }

  function lookAhead(path: string, now: number): void {
    if (fresh.size === 0) freshSince = now;
    fresh.add(path);
    if (paths.size <= SAVE_PATHS || now - freshSince < FRESH_MS) return;
    if (isHeld()) onHeld([...fresh]);
    fresh = new Set();
  }

  return {
    add(path, isEverything, isNewFolder) {
      const now = performance.now();
      if (timer === undefined) firstAt = now;
      paths.add(path);
      everything ||= isEverything;
      newFolders ||= isNewFolder;
      if (!isEverything) lookAhead(path, now);
      clearTimeout(timer);
      const isSave = !newFolders && paths.size <= SAVE_PATHS;
      const quietMs = everything ? GIT_QUIET_MS : isSave ? SAVE_QUIET_MS : QUIET_MS;
      timer = setTimeout(flush, Math.max(0, Math.min(quietMs, firstAt + MAX_WAIT_MS - now)));
    },
    close() {
      clearTimeout(timer);
    },
  };
}
