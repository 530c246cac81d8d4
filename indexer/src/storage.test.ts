import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { type IndexDb, indexDir, openIndexForReading } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import { closedPort } from "@dhi/core/testing/fake-server";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { toHttpError } from "./http-error.ts";
import { startIndexer } from "./start-indexer.ts";
import { storageProblem } from "./storage-problem.ts";
import { tempIndexer, workTreeOf } from "./testing/temp-indexer.ts";
import { fakeChroma, tempVectors } from "./testing/temp-vectors.ts";

const files = (n: number, from = 0) =>
  Object.fromEntries(
    Array.from({ length: n }, (_, i) => [
      `f${i + from}.ts`,
      `export const x${i + from} = "${"y".repeat(500)}";\n`,
    ]),
  );

/** As a full disk: the file may not grow. @returns how to make room */
function fill(db: IndexDb): () => void {
  const pages = Number(db.pragma("page_count", { simple: true }));
  db.pragma(`max_page_count = ${pages}`);
  return () => db.pragma(`max_page_count = ${1e9}`);
}
/** As a folder that was made read-only, which root does not notice. */
function forbid(db: IndexDb): () => void {
  db.pragma("query_only = ON");
  return () => db.pragma("query_only = OFF");
}

test.each([
  [
    "a full disk",
    fill,
    /^the index cannot grow: no room on the disk of .*; free some space, and indexing goes on/,
  ],
  ["a folder that cannot be written", forbid, /^the index cannot be written \(.*\): make .* writable/],
])(
  "%s is named, indexing goes on by itself when that is over, and nothing is lost",
  async (_, breakIt, words) => {
    using repo = tempRepo(files(20));
    await using at = await tempIndexer(repo.dir, { watch: true });
    const repair = breakIt(at.db);
    for (const [path, content] of Object.entries(files(300, 10))) repo.write(path, `${content}// changed\n`);
    await expect
      .poll(() => at.indexer.status(), { timeout: 10_000 })
      .toMatchObject({ state: "failed", error: expect.stringMatching(words) });
    const job = at.indexer.startJob("");
    await expect
      .poll(() => at.indexer.job(job))
      .toMatchObject({ state: "failed", error: expect.stringMatching(words) });
    repair();
    await at.becomes(workTreeOf(repo.dir));
    await expect.poll(() => at.indexer.status(), { timeout: 5_000 }).toMatchObject({ state: "watching" });
    expect(at.indexer.status().error).toBeUndefined();
  },
);

test("a client that indexes a file learns why that cannot be", () => {
  const full = new Database.SqliteError("database or disk is full", "SQLITE_FULL");
  expect(toHttpError(full)).toMatchObject({
    ...{
      status: 503,
      code: "index_full",
      message: expect.stringContaining("no room on the disk of the index"),
    },
  });
});

test("a full disk costs no embedding: what was made is kept and written later, and it is not called an embedder or a Chroma that is down", async () => {
  using home = tempDir();
  await using index = tempVectors(home.dir);
  let asked = 0;
  const hash = createHashEmbedder();
  for (let i = 0; i < 40; i++) index.put(`${i}.ts`, `one${i}()`, `two${i}()`);
  const repair = fill(index.db);
  const sync = index.start({
    store: fakeChroma().open,
    embedder: {
      ...hash,
      async embedDocuments(texts, signal) {
        asked += texts.length;
        return hash.embedDocuments(texts, signal);
      },
    },
  });
  await expect
    .poll(() => sync.status())
    .toMatchObject({
      storage: { kind: "full" },
      embedder: { status: "ok" },
      vectors: { status: "catching-up" },
    });
  // Long enough for several tries.
  await new Promise((done) => setTimeout(done, 300));
  repair();
  await sync.idle();
  expect(asked).toBe(80);
  expect(sync.status()).toMatchObject({
    storage: undefined,
    textsEmbedded: 80,
    vectors: { status: "ok", stored: 80 },
  });
});

test.each([
  ["SQLITE_FULL", "full"],
  ["SQLITE_READONLY", "read-only"],
  ["SQLITE_READONLY_DIRECTORY", "read-only"],
  ["SQLITE_CANTOPEN", "read-only"],
  ["SQLITE_IOERR_WRITE", "unusable"],
  ["SQLITE_CORRUPT_VTAB", "damaged"],
  ["SQLITE_NOTADB", "damaged"],
  ["SQLITE_CONSTRAINT", undefined],
])("%s", (code, kind) => {
  expect(storageProblem(new Database.SqliteError("words", code), "/x")?.kind).toBe(kind);
});

/** Has the table of paths begin on a page that holds something else. */
function damage(file: string): void {
  const other = new Database(file);
  other.unsafeMode();
  other.pragma("writable_schema = ON");
  other.exec(
    "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'texts') WHERE name = 'live'",
  );
  other.pragma(`schema_version = ${Number(other.pragma("schema_version", { simple: true })) + 1}`);
  other.close();
}

test("an index that is found damaged in use is set aside and built anew", async () => {
  using repo = tempRepo(files(30));
  using home = tempDir();
  const nobody = `127.0.0.1:${await closedPort()}`;
  const config = readConfig({
    ...{ WORKSPACE: repo.dir, DHI_HOME: home.dir, INDEXER_PORT: "0", EMBEDDER: "hash" },
    ...{ CHROMA_HOST: nobody, OLLAMA_HOST: nobody },
  });
  const running = await startIndexer(config, createLogger("test", "silent"));
  await running.watching;
  const dir = indexDir(home.dir, repo.dir);
  const [workspace] = running.workspaces;
  await expect.poll(() => workspace?.status().state).toBe("watching");
  await expect.poll(() => workspace?.status().counters.textsEmbedded).toBe(30);
  const file = join(dir, "index.db");
  damage(file);
  repo.write("new.ts", "export const later = 1;\n");
  await expect.poll(() => existsSync(`${file}.set-aside`), { timeout: 15_000 }).toBe(true);
  await expect
    .poll(() => workspace?.status(), { timeout: 15_000 })
    .toMatchObject({ state: "watching", files: 31 });
  expect(existsSync(`${file}.damaged`)).toBe(false);
  const reader = openIndexForReading(dir);
  expect(reader?.prepare("SELECT count(*) FROM live").pluck().get()).toBe(31);
  reader?.close();
  await running.close();
});

test("a damaged index is marked, so that the next start sets it aside whatever its first look finds", async () => {
  using home = tempDir();
  const { markAsDamaged, openIndex } = await import("./open-index.ts");
  const dir = join(home.dir, "index");
  mkdirSync(dir);
  const warnings: unknown[] = [];
  const log = { warn: (words: unknown) => warnings.push(words) };
  openIndex(dir, log).close();
  markAsDamaged(dir);
  openIndex(dir, log).close();
  openIndex(dir, log).close();
  expect(warnings).toEqual([
    `index.db was found damaged while it was in use: kept as ${join(dir, "index.db.set-aside")}, building a new one`,
  ]);
});
