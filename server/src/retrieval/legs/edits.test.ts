import type { IndexDb } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { type SeedChunk, seedIndex } from "../../testing/seed-index.ts";
import type { Found } from "../leg.ts";
import { type FileRange, retrievalQuery } from "../query.ts";
import { editsLeg } from "./edits.ts";

interface Asked {
  readonly chunks: readonly SeedChunk[];
  readonly recentEdits?: FileRange[];
  readonly prefix?: string;
  /** What else the index knows. */
  readonly also?: (db: IndexDb) => void;
}

/** At a cursor that is about a cart and a parcel. */
async function find({
  chunks,
  recentEdits = [],
  prefix = "pack(cart);\nsend(parcel, ",
  also = () => {},
}: Asked): Promise<Found[]> {
  using home = tempDir();
  const db = seedIndex(home.dir, chunks);
  also(db);
  const query = retrievalQuery({ path: "open.ts", prefix, suffix: "", recentEdits });
  const found = await editsLeg(db, query, new AbortController().signal);
  db.close();
  return found;
}
const shown = (found: readonly Found[]) => found.map((f) => `${f.path}:${f.startLine}-${f.endLine}`);
const related = (name: string) => `pack(cart, ${name}); send(parcel);`;
const lines = (count: number) => Array.from({ length: count }, (_, i) => `filler_${i};`);

test("shows the edited lines with what surrounds them, up to 16 lines", async () => {
  const text = lines(100).with(50, related("a")).join("\n");
  const [found] = await find({
    chunks: [{ path: "a.ts", text }],
    recentEdits: [{ path: "a.ts", startLine: 50, endLine: 52 }],
  });
  expect(shown(found ? [found] : [])).toEqual(["a.ts:44-58"]);
  expect(found?.text.split("\n")).toEqual(text.split("\n").slice(43, 58));
});

test("of two that share as much the newer comes first, and one that overlaps a newer one does not come again", async () => {
  const chunks = ["old", "new"].map((name) => ({ path: `${name}.ts`, text: related(name) }));
  const all = (path: string) => ({ path, startLine: 1, endLine: 1 });
  const recentEdits = [all("new.ts"), all("old.ts"), all("new.ts")];
  expect(shown(await find({ chunks, recentEdits }))).toEqual(["new.ts:1-1", "old.ts:1-1"]);
});

test("leaves out what is about something else, and what is gone", async () => {
  const chunks = [
    { path: "other.ts", text: "other(fare)" },
    { path: "gone.ts", text: related("gone"), gone: true },
    { path: "short.ts", text: related("short") },
  ];
  const at = (path: string, line: number) => ({ path, startLine: line, endLine: line + 1 });
  const recentEdits = [at("other.ts", 1), at("gone.ts", 1), at("short.ts", 900)];
  expect(await find({ chunks, recentEdits })).toEqual([]);
});

test("one name near the cursor is enough, one far from it is not", async () => {
  const names = Array.from({ length: 14 }, (_, i) => `name${String.fromCharCode(97 + i)}`);
  const chunks = [
    { path: "near.ts", text: `use(${names.at(-1)})` },
    { path: "far.ts", text: `use(${names[0]})` },
  ];
  const recentEdits = chunks.map(({ path }) => ({ path, startLine: 1, endLine: 1 }));
  const prefix = `${names.join("(1);\n")}(`;
  expect(shown(await find({ chunks, recentEdits, prefix }))).toEqual(["near.ts:1-1"]);
});

test("where the editor names no edits, unsaved buffers show what the file on the disk has not", async () => {
  const chunks = [
    { path: "buffer.ts", text: related("typed") },
    { path: "same.ts", text: related("same") },
  ];
  const also = (db: IndexDb) =>
    db.exec(`
      INSERT INTO documents SELECT path, 1, blob_id, language, bytes FROM files;
      UPDATE files SET blob_id = NULL WHERE path = 'buffer.ts'`);
  expect(shown(await find({ chunks, also }))).toEqual(["buffer.ts:1-1"]);
});

test("and files saved in the last half hour show what has to do with the cursor, unless a checkout wrote them", async () => {
  const chunks = Array.from({ length: 30 }, (_, i) => ({ path: `f${i}.ts`, text: related(`n${i}`) }));
  const saved = (count: number) => (db: IndexDb) =>
    db
      .prepare("UPDATE files SET mtime_ms = ? WHERE path IN (SELECT path FROM files ORDER BY path LIMIT ?)")
      .run(Date.now() - 60_000, count);
  expect(shown(await find({ chunks, also: saved(2) })).sort()).toEqual(["f0.ts:1-1", "f1.ts:1-1"]);
  expect(await find({ chunks, also: saved(30) })).toEqual([]);
});

test("the file that is typed in does not count for a checkout", async () => {
  const paths = (count: number) => [...Array.from({ length: count }, (_, i) => `f${i}.ts`), "open.ts"];
  const found = (others: number) =>
    find({
      chunks: paths(others).map((path) => ({ path, text: related(path) })),
      also: (db) => db.prepare("UPDATE files SET mtime_ms = ?").run(Date.now()),
    });
  expect(await found(16)).toHaveLength(16);
  expect(await found(17)).toEqual([]);
});
