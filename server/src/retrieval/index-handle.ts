/** The server's read-only view of `index.db`, which the indexer makes, may not have made yet, or may set aside and replace. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { type IndexDb, openIndexForReading } from "@dhi/core/index-db";

export interface IndexHandle {
  /** @returns `undefined` while there is no index */
  get(): IndexDb | undefined;
  close(): void;
}

/** How often to look whether the file is still the one that is open. */
const CHECK_EVERY_MS = 1_000;

export function createIndexHandle(dir: string): IndexHandle {
  let db: IndexDb | undefined;
  let inode: number | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  function get(): IndexDb | undefined {
    const now = performance.now();
    if (now - checkedAt < CHECK_EVERY_MS) return db;
    checkedAt = now;
    const current = inodeOf(join(dir, "index.db"));
    if (db && current === inode) return db;
    db?.close();
    db = openIndexForReading(dir);
    inode = db && current;
    return db;
  }

  return {
    get,
    close() {
      db?.close();
      db = undefined;
      checkedAt = Number.POSITIVE_INFINITY;
    },
  };
}

/** @returns `undefined` for what is not there, or lies in a folder that may not be entered */
function inodeOf(file: string): number | undefined {
  try {
    return statSync(file).ino;
  } catch {
    return undefined;
  }
}
