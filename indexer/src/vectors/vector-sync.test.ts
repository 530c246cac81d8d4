import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "@dhi/core/embedder";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { type IndexDb, readMeta, textHash } from "@dhi/core/index-db";
import { createOllamaEmbedder } from "@dhi/core/ollama-embedder";
import { type ChromaServer, startChroma } from "@dhi/core/testing/chroma-server";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { createVectorStore } from "@dhi/core/vector-store";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type StartVectors, type TempVectors, tempVectors } from "../testing/temp-vectors.ts";
import type { VectorSync } from "./vector-sync.ts";

const never = new AbortController().signal;

let home: ReturnType<typeof tempDir>;
let chroma: ChromaServer;
/** Another workspace for each test: its collections are its own. */
let index: TempVectors;
let db: IndexDb;

beforeAll(async () => {
  home = tempDir();
  chroma = await startChroma(mkdtempSync(join(home.dir, "chroma-")));
});
afterAll(async () => {
  await chroma.kill();
  home[Symbol.dispose]();
});
beforeEach(() => {
  index = tempVectors(home.dir);
  db = index.db;
});
afterEach(() => index[Symbol.asyncDispose]());

interface StartOptions extends Omit<StartVectors, "store"> {
  readonly onAdd?: (vectors: number) => void;
  /** Where Chroma is. */
  readonly url?: string;
}

function start({ url = chroma.url, onAdd, ...options }: StartOptions = {}): VectorSync {
  return index.start({
    ...options,
    store(collection) {
      const store = createVectorStore({ url, collection });
      return {
        ...store,
        add(records, signal) {
          onAdd?.(records.length);
          return store.add(records, signal);
        },
      };
    },
  });
}

/** Runs until all is done, and stops. */
async function runOnce(options?: StartOptions): Promise<{ textsEmbedded: number }> {
  const sync = start(options);
  await sync.idle();
  const { textsEmbedded } = sync.status();
  await sync.close();
  return { textsEmbedded };
}

const put = (path: string, ...texts: string[]): void => index.put(path, ...texts);
const putFrom = (path: string, firstLine: number, ...texts: string[]): void =>
  index.putFrom(path, firstLine, ...texts);
const remove = (path: string): void => index.remove(path);
const nameFor = (embedderId: string): string => index.nameFor(embedderId);
const remembered = (): string[] => index.remembered();
const held = ({ url = chroma.url } = {}): Promise<string[]> => index.held(url);
const vectorOf = (path: string, text: string) => `${path}#${textHash(text)}`;
const named = (n: number, prefix = "f") => Array.from({ length: n }, (_, i) => `${prefix}${i}()`);

/** Counts what it is asked for; `refuse` says which texts it fails on. */
function countingEmbedder(refuse: (text: string) => boolean = () => false) {
  const hash = createHashEmbedder();
  const asked: string[] = [];
  const embedder: Embedder = {
    ...hash,
    async embedDocuments(texts, signal) {
      if (texts.some(refuse)) throw new Error("bad text");
      asked.push(...texts);
      return hash.embedDocuments(texts, signal);
    },
  };
  return { embedder, asked };
}

test("embeds each text once and puts one vector per file and text into Chroma", async () => {
  put("src/a.ts", "one()", "two()");
  put("src/b.ts", "one()", "one()", "  \n");
  const { embedder, asked } = countingEmbedder();
  expect(await runOnce({ embedder })).toEqual({ textsEmbedded: 2 });
  expect(asked).toEqual(["src/a.ts\none()", "src/a.ts\ntwo()"]);
  expect(await held()).toEqual(
    [vectorOf("src/a.ts", "one()"), vectorOf("src/a.ts", "two()"), vectorOf("src/b.ts", "one()")].sort(),
  );
  expect(remembered()).toEqual(await held());
});

test("an index that was empty when it connected is filled in large batches, one that is full gets small ones", async () => {
  const sizes: number[] = [];
  const sync = start({ onAdd: (vectors) => sizes.push(vectors) });
  await sync.idle();
  for (let i = 0; i < 40; i++) put(`a${i}.ts`, ...named(5, `a${i}_`));
  await sync.idle();
  expect(Math.max(...sizes)).toBeGreaterThan(10);

  sizes.length = 0;
  for (let i = 0; i < 4; i++) put(`b${i}.ts`, ...named(10, `b${i}_`));
  await sync.idle();
  expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
});

test("neither embeds nor writes while a sync runs", async () => {
  let isSyncing = false;
  const { embedder, asked } = countingEmbedder();
  const sync = start({ embedder, demand: { isSyncing: () => isSyncing } });
  put("gone.ts", "gone()");
  await sync.idle();
  isSyncing = true;
  put("a.ts", "one()");
  remove("gone.ts");
  sync.kick();
  await expect.poll(() => sync.status().pendingEmbeddings).toBe(1);
  // Longer than both take when nothing holds them.
  await new Promise((done) => setTimeout(done, 200));
  expect([asked, await held()]).toEqual([["gone.ts\ngone()"], [vectorOf("gone.ts", "gone()")]]);
  isSyncing = false;
  await sync.idle();
  expect(await held()).toEqual([vectorOf("a.ts", "one()")]);
});

test("a sync that does not end does not hold them for ever", async () => {
  const sync = start({ demand: { isSyncing: () => true } });
  put("a.ts", "one()");
  await sync.idle();
  expect(await held()).toEqual([vectorOf("a.ts", "one()")]);
}, 15_000);

test("what is stored is found by its own text", async () => {
  put("src/a.ts", "parseInvoice(lines)", "renderButton(label)");
  await runOnce();
  const store = createVectorStore({ url: chroma.url, collection: readMeta(db, "collection")! });
  const query = await createHashEmbedder().embedQuery("parseInvoice", never);
  expect((await store.query(query, 1, never))[0]).toMatchObject({
    path: "src/a.ts",
    textHash: textHash("parseInvoice(lines)"),
  });
});

test("tells the server what the index is built with", async () => {
  await runOnce();
  expect([readMeta(db, "embedder"), readMeta(db, "collection")]).toEqual(["hash:1", nameFor("hash:1")]);
});

test("a second start embeds nothing and writes nothing", async () => {
  put("src/a.ts", "one()", "two()");
  await runOnce();
  const slots = () => db.prepare("SELECT slots FROM collections").pluck().get();
  expect(slots()).toBe(2);
  expect(await runOnce()).toEqual({ textsEmbedded: 0 });
  expect(slots()).toBe(2);
});

test("a renamed file costs no embedding", async () => {
  put("src/a.ts", "one()", "two()");
  await runOnce();
  db.prepare("UPDATE live SET path = 'lib/b.ts'").run();
  expect(await runOnce()).toEqual({ textsEmbedded: 0 });
  expect(await held()).toEqual([vectorOf("lib/b.ts", "one()"), vectorOf("lib/b.ts", "two()")].sort());
});

test("follows changes while it runs: new, changed and deleted files", async () => {
  put("src/a.ts", "one()", "two()");
  put("src/gone.ts", "gone()");
  const sync = start();
  await sync.idle();
  put("src/a.ts", "one()", "three()");
  put("src/new.ts", "four()");
  remove("src/gone.ts");
  await sync.idle();
  expect(await held()).toEqual(
    [vectorOf("src/a.ts", "one()"), vectorOf("src/a.ts", "three()"), vectorOf("src/new.ts", "four()")].sort(),
  );
  expect(sync.status().textsEmbedded).toBe(5);
});

test("a path that goes on with # is another path", async () => {
  put("a", "one()");
  put("a#b", "one()");
  const sync = start();
  await sync.idle();
  remove("a");
  await sync.idle();
  expect(await held()).toEqual([vectorOf("a#b", "one()")]);
});

test("a chunk that only moved keeps its vector and gets its new lines", async () => {
  put("src/a.ts", "one()");
  const sync = start();
  await sync.idle();
  putFrom("src/a.ts", 7, "one()");
  await sync.idle();
  const store = createVectorStore({ url: chroma.url, collection: readMeta(db, "collection")! });
  const id = await store.collectionId(never);
  const response = await fetch(
    `${chroma.url}/api/v2/tenants/default_tenant/databases/default_database/collections/${id}/get`,
    { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
  );
  expect(await response.json()).toMatchObject({
    documents: ["one()"],
    metadatas: [{ file_path: "src/a.ts", start_line: 7, end_line: 7 }],
  });
  expect(db.prepare("SELECT slots FROM collections").pluck().get()).toBe(1);
});

test("forgets what was deleted while it did not run", async () => {
  put("src/a.ts", "one()");
  put("src/b.ts", "two()");
  await runOnce();
  remove("src/b.ts");
  await runOnce();
  expect(await held()).toEqual([vectorOf("src/a.ts", "one()")]);
});

test("a text that fails alone is set aside, stays pending and is tried again; the others go on", async () => {
  let broken = true;
  put("src/a.ts", ...named(20), "poison()", ...named(20, "g"));
  const { embedder, asked } = countingEmbedder((text) => broken && text.includes("poison"));
  const sync = start({ embedder, timing: { failedTextMs: 100 } });
  await sync.idle();
  expect(sync.status()).toMatchObject({
    textsEmbedded: 40,
    pendingEmbeddings: 1,
    embedder: {
      id: "hash:1",
      status: "ok",
      detail: "1 texts could not be embedded, e.g. src/a.ts: bad text",
    },
    vectors: { status: "ok", stored: 40 },
  });
  broken = false;
  await expect.poll(() => sync.status().pendingEmbeddings).toBe(0);
  await sync.idle();
  expect(asked.filter((text) => text.includes("poison"))).toHaveLength(1);
  expect(await held()).toContain(vectorOf("src/a.ts", "poison()"));
});

test("an embedder that is down loses nothing: deletions go on, and it catches up", async () => {
  put("src/a.ts", "one()");
  put("src/b.ts", "two()");
  await runOnce();
  let down = true;
  const { embedder, asked } = countingEmbedder(() => down);
  const sync = start({ embedder });
  remove("src/b.ts");
  put("src/c.ts", "three()");
  sync.kick();
  await expect.poll(() => held()).toEqual([vectorOf("src/a.ts", "one()")]);
  await expect
    .poll(() => sync.status())
    .toMatchObject({
      embedder: { status: "down", detail: "bad text" },
      pendingEmbeddings: 1,
      vectors: { status: "catching-up" },
    });
  down = false;
  await sync.idle();
  expect(asked.filter((text) => text !== "probe")).toEqual(["src/c.ts\nthree()"]);
  expect(sync.status()).toMatchObject({ embedder: { status: "ok", detail: "for this test" } });
  expect(await held()).toHaveLength(2);
});

test("quotes Ollama when that is what is down", async () => {
  await using ollama = await startFakeServer((_, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end('{"error": "model \\"m\\" not found"}');
  });
  put("src/a.ts", "one()");
  const sync = start({ embedder: createOllamaEmbedder({ host: ollama.url, model: "m", keepAlive: "1m" }) });
  await expect
    .poll(() => sync.status().embedder)
    .toEqual({ id: "ollama:m", status: "down", detail: 'ollama: 404 model "m" not found' });
});

test("Chroma down at the start: embeds all the same, says so, and fills it when it comes", async () => {
  const port = await closedPort();
  const url = `http://127.0.0.1:${port}`;
  put("src/a.ts", "one()", "two()");
  const sync = start({ url });
  await expect
    .poll(() => sync.status())
    .toMatchObject({
      textsEmbedded: 2,
      vectors: { status: "down", stored: 0, detail: `chroma: does not answer at ${url}` },
    });
  await using _late = await startChroma(mkdtempSync(join(home.dir, "late-")), port);
  await sync.idle();
  expect(await held({ url })).toHaveLength(2);
  expect(sync.status().vectors).toMatchObject({ status: "ok", stored: 2 });
});

test.each([
  ["with its data", false],
  ["with an emptied volume", true],
])(
  "Chroma killed in the middle and started again %s: equal again without one embedding",
  async (_, emptied) => {
    const folder = mkdtempSync(join(home.dir, "mid-"));
    const first = await startChroma(folder);
    for (let i = 0; i < 60; i++) put(`src/${i}.ts`, ...named(10, `f${i}_`));
    const sync = start({ url: first.url });
    await expect.poll(() => sync.status().vectors.stored, { timeout: 10_000 }).toBeGreaterThanOrEqual(100);
    await first.kill();
    await expect.poll(() => sync.status()).toMatchObject({ vectors: { status: "down" }, textsEmbedded: 600 });
    put("src/0.ts", "later()");
    if (emptied) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
    }
    await using _second = await startChroma(folder, first.port);
    await sync.idle();
    expect(await held({ url: first.url })).toHaveLength(591);
    expect(remembered()).toEqual(await held({ url: first.url }));
    expect(sync.status().textsEmbedded).toBe(601);
  },
);

test("notices while idle that the collection is gone, and fills a new one", async () => {
  put("src/a.ts", "one()");
  const sync = start();
  await sync.idle();
  const other = createVectorStore({ url: chroma.url, collection: "not-ours" });
  await other.dropOthers(index.prefix, never);
  await expect.poll(() => held().catch(() => [])).toEqual([vectorOf("src/a.ts", "one()")]);
  expect(sync.status().textsEmbedded).toBe(1);
});

test("repairs what Chroma holds and the index does not know of, and the reverse", async () => {
  put("src/a.ts", "one()", "two()", "three()");
  await runOnce();
  const store = createVectorStore({ url: chroma.url, collection: readMeta(db, "collection")! });
  await store.delete([vectorOf("src/a.ts", "one()")], never);
  // As after a kill between Chroma's answer and the index's note of it.
  db.prepare("DELETE FROM vectors WHERE id = ?").run(vectorOf("src/a.ts", "two()"));
  db.prepare("DELETE FROM vectors WHERE id = ?").run(vectorOf("src/a.ts", "three()"));
  expect(await runOnce()).toEqual({ textsEmbedded: 0 });
  expect(await held()).toHaveLength(3);
  expect(remembered()).toEqual(await held());
});

test("another embedder fills a new collection; the old one answers until that is complete and is then removed", async () => {
  put("src/a.ts", "one()");
  await runOnce();
  const old = readMeta(db, "collection")!;
  let ready = false;
  const { embedder: counting } = countingEmbedder(() => !ready);
  const embedder = { ...counting, id: "other:1" };
  const sync = start({ embedder });
  await expect.poll(() => sync.status().embedder.status).toBe("down");
  expect([readMeta(db, "embedder"), readMeta(db, "collection")]).toEqual(["hash:1", old]);
  expect(await held()).toHaveLength(1);
  ready = true;
  await sync.idle();
  expect([readMeta(db, "embedder"), readMeta(db, "collection")]).toEqual(["other:1", nameFor("other:1")]);
  expect(await held()).toHaveLength(1);
  await expect(createVectorStore({ url: chroma.url, collection: old }).count(never)).rejects.toThrow("404");
  expect(remembered()).toHaveLength(1);
});

test("builds a new collection when most of the old one's places are of deleted vectors", async () => {
  put("src/a.ts", "one()", "two()");
  const sync = start({ timing: { rebuildFromSlots: 6 } });
  await sync.idle();
  const first = readMeta(db, "collection")!;
  for (let i = 0; i < 4; i++) {
    put("src/a.ts", `one${i}()`, "two()");
    await sync.idle();
  }
  await expect.poll(() => readMeta(db, "collection")).toBe(`${first}-2`);
  await sync.idle();
  expect(await held()).toHaveLength(2);
  expect(db.prepare("SELECT slots FROM collections").pluck().get()).toBeLessThan(6);
  await expect(createVectorStore({ url: chroma.url, collection: first }).count(never)).rejects.toThrow("404");
  await sync.close();
  expect(await runOnce()).toEqual({ textsEmbedded: 0 });
  expect(readMeta(db, "collection")).toBe(`${first}-2`);
});

test("stops at once in the middle of a request, and the next start goes on", async () => {
  await using hanging = await startFakeServer(() => {});
  put("src/a.ts", "one()");
  const embedder = createOllamaEmbedder({ host: hanging.url, model: "m", keepAlive: "1m" });
  const sync = start({ embedder, url: hanging.url });
  await expect.poll(() => hanging.requests.length).toBe(2);
  const began = performance.now();
  await sync.close();
  expect(performance.now() - began).toBeLessThan(500);
  expect(await runOnce({ embedder: { ...createHashEmbedder(), id: "ollama:m" } })).toEqual({
    textsEmbedded: 1,
  });
});

test("waiting ends with its signal", async () => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  put("src/a.ts", "one()");
  const sync = start({ url });
  const gone = new AbortController();
  const waiting = sync.idle(gone.signal);
  gone.abort();
  await expect(waiting).rejects.toBe(gone.signal.reason);
});
