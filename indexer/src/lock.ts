/**
 * One indexer per index. The lock is an open SQLite transaction on a file of its own: the operating system ends it with
 * the process, however that dies and whichever container it ran in. Who holds it stands beside it, for the message only.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { z } from "zod";

export interface IndexLock {
  release(): void;
}

/** Another indexer owns the index; the message names its process. */
export class IndexLockedError extends Error {
  override readonly name = "IndexLockedError";
  readonly pid: number | undefined;

  constructor(dir: string, holder: Holder | undefined) {
    const where = holder && holder.host !== hostname() ? ` on ${holder.host}` : "";
    const who = holder ? `process ${holder.pid}${where}, since ${holder.since}` : "another process";
    super(`another indexer owns ${dir}: ${who}`);
    this.pid = holder?.pid;
  }
}

/**
 * @param dir must exist
 * @throws {IndexLockedError} at once; waiting is the caller's choice
 */
export function lockIndex(dir: string): IndexLock {
  const db = new Database(join(dir, "lock.db"), { timeout: 0 });
  const holderFile = join(dir, "lock.json");
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY"))
      throw new IndexLockedError(dir, readHolder(holderFile));
    throw error;
  }
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeHolder(holderFile, holder);
  return { release: () => db.close() };
}

const holderSchema = z.object({ pid: z.int(), host: z.string(), since: z.string() });
type Holder = z.infer<typeof holderSchema>;

function writeHolder(file: string, holder: Holder): void {
  try {
    writeFileSync(file, `${JSON.stringify(holder)}\n`);
  } catch {
    // The disk may be full; the lock holds all the same.
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}
