/** Opens `index.db`, and starts anew beside one that cannot be used: everything in it can be made again. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type IndexDb, openIndexForWriting, SCHEMA_VERSION } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import { describeError } from "@dhi/core/upstream-error";
import Database from "better-sqlite3";
import { storageProblem } from "./storage-problem.ts";

/**
 * @param checkedBytes a larger file is not looked through: its damage shows when it is met
 * @throws when the folder cannot be written, or the disk fails
 */
export function openIndex(
  dir: string,
  log: Pick<Logger, "warn">,
  checkedBytes: number = CHECKED_BYTES,
): IndexDb {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, "index.db");
  const flaw = existsSync(file)
    ? existsSync(markIn(dir))
      ? FOUND_IN_USE
      : flawOf(file, checkedBytes)
    : undefined;
  if (flaw) {
    const aside = `${file}.set-aside`;
    // Beside a new index.db these would be replayed into it.
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
    // What was set aside before may be of another kind.
    rmSync(aside, { recursive: true, force: true });
    renameSync(file, aside);
    log.warn(`index.db ${flaw}: kept as ${aside}, building a new one`);
  }
  rmSync(markIn(dir), { force: true });
  return openIndexForWriting(dir);
}

/** Has the next start set the index aside: SQLite met damage in it that a look at its start may not find. */
export function markAsDamaged(dir: string): void {
  try {
    writeFileSync(markIn(dir), "");
  } catch {
    // No room for it. Where the damage is met again, it is marked again.
  }
}

const markIn = (dir: string) => join(dir, "index.db.damaged");
const FOUND_IN_USE = "was found damaged while it was in use";

/** What SQLite looks through in well under a second. */
const CHECKED_BYTES = 128 * 1024 * 1024;

/** @throws when the first page of a table cannot be read */
function readHeads(db: IndexDb): undefined {
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) db.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get();
}

/**
 * @returns what is wrong with the file, in words that follow "index.db"
 * @throws what keeps a file from being looked into that may be sound: a full disk, say
 */
function flawOf(file: string, checkedBytes: number): string | undefined {
  if (!statSync(file).isFile()) return "is damaged (not a file)";
  let db: IndexDb | undefined;
  try {
    db = new Database(file);
    const version = db.pragma("user_version", { simple: true });
    // 0: killed between making the file and its tables.
    if (version !== SCHEMA_VERSION && version !== 0)
      return `has version ${version}, this Dhi needs ${SCHEMA_VERSION}`;
    if (statSync(file).size > checkedBytes) return readHeads(db);
    const found = db.pragma("quick_check(1)", { simple: true });
    return found === "ok" ? undefined : `is damaged (${found})`;
  } catch (error) {
    if (storageProblem(error, dirname(file))?.kind !== "damaged") throw error;
    return `is damaged (${describeError(error)})`;
  } finally {
    db?.close();
  }
}
