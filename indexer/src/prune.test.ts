import { statSync } from "node:fs";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { type IndexDb, openIndexForReading, textHash } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPruner, type PruneLimits, type PrunerDeps } from "./prune.ts";
import { fakeChroma, type TempVectors, tempVectors } from "./testing/temp-vectors.ts";

const never = new AbortController().signal;
const nothingStays: PruneLimits = {
  ...{ savedShare: 0, movedShare: 0, keepMoveSeconds: 0, deadBytes: 0, keepSeconds: -1, fewBlobs: 0 },
};

let home: ReturnType<typeof tempDir>;
let index: TempVectors;
beforeEach(() => {
  home = tempDir();
  index = tempVectors(home.dir);
});
afterEach(async () => {
  await index[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

const pruner = (deps: Partial<PrunerDeps> = {}) =>
  createPruner({
    db: index.db,
    isBusy: () => false,
    embedder: () => undefined,
    limits: nothingStays,
    ...deps,
  });

async function embed(embedderId = "hash:1"): Promise<void> {
  const sync = index.start({
    store: fakeChroma().open,
    embedder: { ...createHashEmbedder(), id: embedderId },
  });
  await sync.idle();
  await sync.close();
}

/** Rows of each table that hangs on a content or a text. */
const rows = (db: IndexDb) =>
  Object.fromEntries(
    ["blobs", "chunks", "texts", "terms", "embeddings"].map((table) => [
      table,
      db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    ]),
  );

test("removes what no path has, and nothing that another content shares with it", async () => {
  index.put("a.ts", "old()", "shared()");
  index.put("b.ts", "shared()", "new()");
  await embed();
  index.put("a.ts", "kept()");
  await embed();
  expect(rows(index.db)).toEqual({ blobs: 3, chunks: 5, texts: 4, terms: 4, embeddings: 4 });
  await pruner().prune(never);
  expect(rows(index.db)).toEqual({ blobs: 2, chunks: 3, texts: 3, terms: 3, embeddings: 3 });
  expect(index.db.prepare("SELECT text FROM texts ORDER BY text").pluck().all()).toEqual([
    "kept()",
    "new()",
    "shared()",
  ]);
  const found = index.db.prepare("SELECT count(*) FROM terms WHERE terms MATCH 'old'").pluck().get();
  expect(found).toBe(0);
  index.db.prepare("INSERT INTO terms (terms) VALUES ('integrity-check')").run();
});

test("keeps what an unsaved buffer or a file beneath one has", async () => {
  index.put("a.ts", "saved()");
  index.put("b.ts", "other()");
  index.db
    .prepare("INSERT INTO documents SELECT 'a.ts', 1, blob_id, language, 1 FROM live WHERE path = 'b.ts'")
    .run();
  index.remove("b.ts");
  index.put("c.ts", "last()");
  await pruner().prune(never);
  expect(rows(index.db)).toMatchObject({ blobs: 3, texts: 3 });
});

test("keeps a branch's worth, and lets go what was used longest ago", async () => {
  for (let i = 0; i < 10; i++) index.put(`${i}.ts`, `${i}`.repeat(100));
  for (let i = 0; i < 10; i++) index.put("0.ts", `version ${i}`.padEnd(100, "."));
  index.put("0.ts", "now".padEnd(100, "."));
  index.db.prepare("UPDATE blobs SET used_at = 1000 + id").run();
  const limits = { ...nothingStays, savedShare: 0.5 };
  await pruner({ limits }).prune(never);
  const dead = () =>
    index.db
      .prepare("SELECT text FROM texts WHERE text LIKE 'version%' ORDER BY text")
      .pluck()
      .all()
      .map((text) => String(text).replaceAll(".", ""));
  // 1,100 dead bytes, of which 500 may stay; down to 350.
  expect(dead()).toEqual(["version 7", "version 8", "version 9"]);
  await pruner({ limits }).prune(never);
  expect(dead()).toHaveLength(3);
});

test("what git moved has a share of its own, the newest first, and what only saves made goes without it", async () => {
  for (let i = 0; i < 10; i++) index.put(`${i}.ts`, `${i}`.repeat(100));
  for (let i = 0; i < 20; i++) index.put("0.ts", `version ${i}`.padEnd(100, "."));
  index.put("0.ts", "now".padEnd(100, "."));
  // The first ten were a branch's, and so were two that are older.
  index.db
    .prepare("UPDATE blobs SET used_at = 1000 + id, moved_at = iif(id BETWEEN 11 AND 20, 1000, 0)")
    .run();
  index.db.prepare("UPDATE blobs SET moved_at = 900 WHERE id IN (11, 12)").run();
  const limits = { ...nothingStays, savedShare: 0.3, movedShare: 0.5 };
  await pruner({ limits }).prune(never);
  const dead = index.db
    .prepare("SELECT trim(text, '.') FROM texts WHERE text LIKE 'version%' ORDER BY id")
    .pluck()
    .all();
  // Of 1,000 bytes that moves left, 500 may stay, down to 350; of 1,000 saved ones, 300.
  expect(dead).toEqual([...[7, 8, 9], 18, 19].map((i) => `version ${i}`));
});

test("what the last move took stays altogether for a while, although it is more than what is left, and goes once it can", async () => {
  for (let i = 0; i < 6; i++) index.put(`${i}.ts`, `${i}`.repeat(100));
  for (let i = 1; i < 6; i++) index.remove(`${i}.ts`);
  index.put("0.ts", "left".padEnd(100, "."));
  const minutesAgo = Math.floor(Date.now() / 1000) - 3_500;
  index.db.prepare("UPDATE blobs SET moved_at = ?, used_at = id").run(minutesAgo);
  index.db.prepare("UPDATE blobs SET moved_at = 1000 WHERE id <= 3").run();
  const { prune } = pruner({ limits: { ...nothingStays, movedShare: 2, keepMoveSeconds: 3_600 } });
  await prune(never);
  const texts = () => index.db.prepare("SELECT substr(text, 1, 1) FROM texts ORDER BY id").pluck().all();
  // Of 300 bytes that an earlier move took, 200 may stay; down to 140.
  expect(texts()).toEqual(["2", "3", "4", "5", "l"]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 200_000 });
  try {
    index.db.exec(
      "CREATE TEMP TRIGGER full BEFORE DELETE ON blobs BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
    );
    await expect(prune(never)).rejects.toThrow("disk is full");
    index.db.exec("DROP TRIGGER full");
    // Nothing has changed but the time.
    await prune(never);
  } finally {
    vi.useRealTimers();
  }
  // The same of 400 bytes that any move took.
  expect(texts()).toEqual(["5", "l"]);
});

test("contents used a moment ago stay: somebody may be about to point to them", async () => {
  index.put("a.ts", "old()");
  index.put("a.ts", "new()");
  index.put("b.ts", "last()");
  await pruner({ limits: { ...nothingStays, keepSeconds: 5 } }).prune(never);
  expect(rows(index.db)).toMatchObject({ blobs: 3 });
});

test("looks through everything once enough has come", async () => {
  const { prune } = pruner({ limits: { ...nothingStays, fewBlobs: 5 } });
  for (let i = 0; i < 4; i++) index.put("a.ts", `version ${i}`);
  await prune(never);
  expect(rows(index.db)).toMatchObject({ blobs: 4 });
  index.put("a.ts", "version 4");
  await prune(never);
  expect(rows(index.db)).toMatchObject({ blobs: 1 });
});

test("waits while a sync runs", async () => {
  index.put("a.ts", "old()");
  index.put("a.ts", "new()");
  index.put("b.ts", "last()");
  let isBusy = true;
  const pruning = pruner({ isBusy: () => isBusy }).prune(never);
  await new Promise((done) => setTimeout(done, 100));
  expect(rows(index.db)).toMatchObject({ blobs: 3 });
  isBusy = false;
  await pruning;
  expect(rows(index.db)).toMatchObject({ blobs: 2 });
});

test("vectors of another embedder stay until they are not asked any more", async () => {
  index.put("a.ts", "one()", "two()");
  await embed("old:1");
  await embed("new:1");
  let only: string | undefined;
  const { prune } = pruner({ embedder: () => only });
  await prune(never);
  expect(rows(index.db)).toMatchObject({ embeddings: 4 });
  only = "new:1";
  index.put("b.ts", "one()");
  await prune(never);
  expect(index.db.prepare("SELECT DISTINCT embedder FROM embeddings").pluck().all()).toEqual(["new:1"]);
});

test("removes texts whose chunks a newer chunker replaced", async () => {
  index.put("a.ts", "old()");
  index.db.prepare("UPDATE chunks SET text_id = 7").run();
  index.db.prepare("INSERT INTO texts VALUES (7, ?, 'new()')").run(textHash("new()"));
  await pruner().prune(never);
  expect(index.db.prepare("SELECT text FROM texts").pluck().all()).toEqual(["new()"]);
});

test("gives the room back to the disk, log and all, also while somebody reads", async () => {
  // As long in each round: its numbers have as many digits.
  const text = (round: number, n: number) => {
    const id = 2_000 + 1_000 * round + n;
    return Array.from({ length: 40 }, (_, i) => `name${id}x${i}(value${id * 7 + i})`).join("\n");
  };
  const bytes = () =>
    ["index.db", "index.db-wal"].reduce(
      (sum, name) => sum + statSync(`${index.db.name.replace(/index\.db$/, "")}${name}`).size,
      0,
    );
  index.db.transaction(() => {
    for (let i = 0; i < 300; i++) index.put(`${i}.ts`, text(0, i));
  })();
  await embed();
  await pruner().prune(never);
  const fresh = bytes();
  const reader = openIndexForReading(index.db.name.replace(/index\.db$/, ""));
  for (let round = 1; round <= 5; round++) {
    index.db.transaction(() => {
      for (let i = 0; i < 300; i++) index.put(`${i}.ts`, text(round, i));
    })();
    await embed();
    expect(reader?.prepare("SELECT count(*) FROM live").pluck().get()).toBe(300);
    await pruner().prune(never);
  }
  reader?.close();
  expect(bytes()).toBeLessThan(1.15 * fresh);
});
