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
/** Long enough that a checkout or a build is few batches. */
const QUIET_MS = 100;
/** A build that never stops writing must not keep a save waiting. */
const MAX_WAIT_MS = 1_000;

/** @param isHeld asked before a batch is let go; while it says so, everything waits, however long */
export function createBatch({
  onChanges,
  isHeld,
}: {
  readonly onChanges: (changes: Changes) => void;
  readonly isHeld: () => boolean;
}): Batch {
  const paths = new Set<string>();
  let everything = false;
  let newFolders = false;
  let firstAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    if (isHeld()) {
      timer = setTimeout(flush, QUIET_MS);
      return;
    }
    const changes = { paths: [...paths], everything, newFolders };
    paths.clear();
    everything = newFolders = false;
    timer = undefined;
    onChanges(changes);
  }

  return {
    add(path, isEverything, isNewFolder) {
      const now = performance.now();
      if (timer === undefined) firstAt = now;
      paths.add(path);
      everything ||= isEverything;
      newFolders ||= isNewFolder;
      clearTimeout(timer);
      const quietMs = everything || newFolders || paths.size > SAVE_PATHS ? QUIET_MS : SAVE_QUIET_MS;
      timer = setTimeout(flush, Math.max(0, Math.min(quietMs, firstAt + MAX_WAIT_MS - now)));
    },
    close() {
      clearTimeout(timer);
    },
  };
}
