import { type IndexDb, openIndexForWriting, textHash } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Analysis } from "./analysis.ts";
import { createIndexStore, type FileRow, type IndexStore } from "./index-store.ts";

let home: ReturnType<typeof tempDir>;
let db: IndexDb;
let store: IndexStore;
beforeEach(() => {
  home = tempDir();
  db = openIndexForWriting(home.dir);
  store = createIndexStore(db);
});
afterEach(() => {
  db.close();
  home[Symbol.dispose]();
});

const file = (path: string): FileRow => ({
  ...{ path, blob: `blob of ${path}`, language: "typescript", bytes: 1, changedMs: 1, skip: null },
});
function analyse(path: string): void {
  const analysis: Analysis = {
    ...{ bytes: 1, symbols: [], references: [], imports: [] },
    chunks: [
      {
        ...{ kind: "lines", name: null, container: null, signature: null, startLine: 1, endLine: 1 },
        ...{ text: path, textHash: textHash(path), terms: path },
      },
    ],
  };
  store.putAnalysis(`blob of ${path}`, "typescript", analysis);
}
const live = () => db.prepare("SELECT path FROM live ORDER BY path").pluck().all();

/** As a full disk does. */
function failWrites(): () => void {
  db.exec("CREATE TEMP TRIGGER no_room BEFORE INSERT ON main.live BEGIN SELECT RAISE(ABORT, 'no room'); END");
  return () => db.exec("DROP TRIGGER no_room");
}

test("a write that fails loses nothing of what was gathered for others", () => {
  analyse("saved.ts");
  analyse("other.ts");
  const works = failWrites();
  expect(() => store.setMembership([file("saved.ts")], [])).toThrow("no room");
  expect(live()).toEqual([]);
  works();
  store.setMembership([file("other.ts")], []);
  store.setMembership([file("saved.ts")], []);
  expect(live()).toEqual(["other.ts", "saved.ts"]);
  expect(store.counts()).toMatchObject({ files: 2, chunks: 2 });
});

test("what cannot be written is given up after some tries, so that it holds up nothing else", () => {
  analyse("bad.ts");
  db.exec("CREATE TEMP TRIGGER bad BEFORE INSERT ON main.texts BEGIN SELECT RAISE(ABORT, 'bad'); END");
  for (let i = 0; i < 3; i++) expect(() => store.setMembership([], ["gone.ts"])).toThrow("bad");
  expect(store.isAnalysed("blob of bad.ts", "typescript")).toBe(false);
  store.setMembership([], ["gone.ts"]);
});
