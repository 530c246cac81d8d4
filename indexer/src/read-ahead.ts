/**
 * Analyses what git has just written while it goes on writing: the threads have nothing else to do then, and most of what
 * a switch to another branch takes is this. No path changes by it.
 */
import { type IndexFileDeps, indexFile } from "./index-file.ts";
import type { FileRow } from "./index-store.ts";
import type { TreeFile, WorkTree } from "./work-tree.ts";

export interface ReadAheadDeps extends IndexFileDeps {
  readonly tree: Pick<WorkTree, "again">;
}

export interface ReadAhead {
  /** Files that are in the index; other paths may turn out not to count, and stay unread. */
  add(paths: readonly string[]): void;
  /** Forgets what waits: a sync reads it now. Settles when nothing is being read. */
  stop(): Promise<void>;
  /** What was found in the file, if it counts, was read and has not changed since. */
  found(file: TreeFile): FileRow | undefined;
  /** Forgets what was found: a tree has been taken in. */
  forget(): void;
}

/** A thread must not wait for the rows to be written. */
const READS_PER_THREAD = 2;

export function createReadAhead(deps: ReadAheadDeps): ReadAhead {
  const waiting = new Set<string>();
  /** Git touches a file several times: what is being read is read again only when that is over. */
  const beingRead = new Set<string>();
  const running = new Set<Promise<void>>();
  const rows = new Map<string, FileRow>();

  const isIndexed = (path: string): boolean =>
    deps.store.files([path]).some((file) => file.path === path && file.blob !== null);

  async function readOn(): Promise<void> {
    for (const path of waiting) {
      if (beingRead.has(path)) continue;
      waiting.delete(path);
      beingRead.add(path);
      // Whatever fails is met again by the sync, which says so.
      await read(path).catch(() => {});
      beingRead.delete(path);
    }
  }

  async function read(path: string): Promise<void> {
    // A symbolic link may have taken the place of a folder above it, and lead out of the tree.
    const file = deps.tree.again([path])?.[0];
    if (file && isIndexed(path)) rows.set(path, await indexFile(file, deps));
  }

  return {
    add(paths) {
      for (const path of paths) waiting.add(path);
      while (running.size < READS_PER_THREAD * deps.threads.size && running.size < waiting.size) {
        const reading = readOn().finally(() => running.delete(reading));
        running.add(reading);
      }
    },
    async stop() {
      waiting.clear();
      await Promise.all(running);
    },
    found(file) {
      const row = rows.get(file.path);
      if (!row?.blob || file.skip !== undefined) return undefined;
      // Without a time it changed a moment before it was read, and may have changed again.
      const isSame = row.changedMs !== null && row.changedMs === file.changedMs && row.bytes === file.bytes;
      return isSame && deps.store.isAnalysed(row.blob, row.language) ? row : undefined;
    },
    forget: () => rows.clear(),
  };
}
