import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openIndexForWriting } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openIndex } from "./open-index.ts";

const fakeLog = () => {
  const lines: string[] = [];
  return { lines, warn: (line: string) => void lines.push(line) };
};
const files = (dir: string) => {
  const db = new Database(join(dir, "index.db"), { readonly: true });
  try {
    return db.prepare("SELECT path FROM files").pluck().all();
  } finally {
    db.close();
  }
};
function fill(dir: string): void {
  const db = openIndexForWriting(dir);
  db.exec("INSERT INTO files VALUES ('a.ts', 'b', 'typescript', 1, 1, NULL)");
  db.exec(`INSERT INTO texts (text_hash, text) VALUES ('h', '${"x".repeat(100_000)}')`);
  db.close();
}

test("a sound index is opened as it is", () => {
  using dir = tempDir();
  fill(dir.dir);
  const log = fakeLog();
  openIndex(dir.dir, log).close();
  expect([files(dir.dir), log.lines]).toEqual([["a.ts"], []]);
});

test("a large index is opened by a look at its tables alone", () => {
  using dir = tempDir();
  fill(dir.dir);
  const log = fakeLog();
  openIndex(dir.dir, log, 0).close();
  expect([files(dir.dir), log.lines]).toEqual([["a.ts"], []]);
  truncateSync(join(dir.dir, "index.db"), 20_000);
  openIndex(dir.dir, log, 0).close();
  expect(log.lines).toEqual([expect.stringMatching(/is damaged/)]);
});

test("an index killed before its tables were made is completed", () => {
  using dir = tempDir();
  writeFileSync(join(dir.dir, "index.db"), "");
  const log = fakeLog();
  openIndex(dir.dir, log).close();
  expect([files(dir.dir), log.lines]).toEqual([[], []]);
});

test.each<[string, (file: string) => void, RegExp]>([
  [
    "garbage",
    (file) => writeFileSync(file, "not a database ".repeat(1_000)),
    /is damaged \(file is not a database\)/,
  ],
  ["cut off", (file) => truncateSync(file, 20_000), /is damaged/],
  ["a folder", (file) => replaceByFolder(file), /is damaged/],
  ["from another version", (file) => setVersion(file, 99), /has version 99, this Dhi needs \d+/],
])("an index that is %s is set aside with one line, and a new one made", (_, spoil, words) => {
  using dir = tempDir();
  fill(dir.dir);
  const file = join(dir.dir, "index.db");
  spoil(file);
  const spoilt = statSync(file).isFile() ? readFileSync(file) : undefined;
  writeFileSync(`${file}-wal`, "left over");
  writeFileSync(`${file}.set-aside`, "of the last time");
  const log = fakeLog();
  openIndex(dir.dir, log).close();
  expect(log.lines).toEqual([expect.stringMatching(words)]);
  expect(files(dir.dir)).toEqual([]);
  expect(existsSync(`${file}.set-aside`)).toBe(true);
  if (spoilt && !words.source.includes("version")) expect(readFileSync(`${file}.set-aside`)).toEqual(spoilt);
});

test("a sound index that the disk does not let open is kept", () => {
  using dir = tempDir();
  fill(dir.dir);
  const file = join(dir.dir, "index.db");
  // As when the disk is full: what SQLite shares between processes cannot be made.
  mkdirSync(`${file}-shm`);
  const before = readFileSync(file);
  const log = fakeLog();
  expect(() => openIndex(dir.dir, log)).toThrow(Database.SqliteError);
  expect(readFileSync(file)).toEqual(before);
  expect([existsSync(`${file}.set-aside`), log.lines]).toEqual([false, []]);
});

function replaceByFolder(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

function setVersion(file: string, version: number): void {
  const db = new Database(file);
  db.pragma(`user_version = ${version}`);
  db.close();
}
