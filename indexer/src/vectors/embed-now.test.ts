import type { Embedder } from "@dhi/core/embedder";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { textHash } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { fromBlob } from "@dhi/core/vector-blob";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AnalysedChunk } from "../analysis.ts";
import { createIndexStore } from "../index-store.ts";
import { fakeChroma, type TempVectors, tempVectors } from "../testing/temp-vectors.ts";

let home: ReturnType<typeof tempDir>;
let index: TempVectors;
let asked: string[];
beforeEach(() => {
  home = tempDir();
  index = tempVectors(home.dir);
  asked = [];
});
afterEach(async () => {
  await index[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

const hash = createHashEmbedder();
const embedder: Embedder = {
  ...hash,
  async embedDocuments(texts, signal) {
    asked.push(...texts);
    return hash.embedDocuments(texts, signal);
  },
};
const start = (by: Embedder) => index.start({ store: fakeChroma().open, embedder: by });

const chunkOf = (text: string): AnalysedChunk => ({
  ...{ kind: "function", name: null, container: "Cart", signature: null, text, terms: text },
  ...{ startLine: 1, endLine: 1, textHash: textHash(text) },
});
const embedded = (): string[] =>
  index.db
    .prepare<[], string>("SELECT text FROM embeddings JOIN texts ON texts.id = text_id ORDER BY texts.id")
    .pluck()
    .all();

test("texts about to be stored get their vectors at once, each once, and blank lines none", async () => {
  const sync = start(embedder);
  const made = await sync.embedNow("a.ts", ["add();", "\n\n", "add();", "sub();"].map(chunkOf));
  expect(asked).toEqual(["a.ts\nCart\nadd();", "a.ts\nCart\nsub();"]);
  const [add] = await hash.embedDocuments(["a.ts\nCart\nadd();"], new AbortController().signal);
  expect(made?.embedder).toBe("hash:1");
  expect([...(made?.byHash.keys() ?? [])]).toEqual(["add();", "sub();"].map(textHash));
  const stored = fromBlob(made?.byHash.get(textHash("add();")) ?? Buffer.alloc(0));
  expect(stored).toEqual(add?.map(Math.fround));
});

test("they are stored with their file, nobody embeds them again, and a text that has one keeps it", async () => {
  const sync = start(embedder);
  await sync.idle();
  const store = createIndexStore(index.db);
  async function save(blob: string, ...texts: string[]): Promise<void> {
    const chunks = texts.map(chunkOf);
    const analysis = { chunks, bytes: 1, symbols: [], references: [], imports: [] };
    store.putAnalysis(blob, "typescript", analysis, await sync.embedNow("a.ts", chunks));
    expect(embedded()).not.toContain(texts.at(-1));
    store.setMembership(
      [{ path: "a.ts", blob, language: "typescript", bytes: 1, changedMs: 1, skip: null }],
      [],
    );
  }
  await save("one", "add();", "sub();");
  expect(embedded()).toEqual(["add();", "sub();"]);
  await save("two", "add();", "mul();");
  expect(embedded()).toEqual(["add();", "sub();", "mul();"]);
  await sync.idle();
  expect(asked).toEqual(["add();", "sub();", "mul();"].map((text) => `a.ts\nCart\n${text}`));
  expect(sync.status()).toMatchObject({ textsEmbedded: 3, pendingEmbeddings: 0 });
  expect(index.remembered()).toEqual(["add();", "mul();"].map((text) => `a.ts#${textHash(text)}`).sort());
});

test("a chunk that brings its vector along is not embedded", async () => {
  const sync = start(embedder);
  const brought = { ...chunkOf("add();"), vector: Buffer.from([1, 2, 3, 4]) };
  const made = await sync.embedNow("a.ts", [brought, chunkOf("sub();")]);
  expect(asked).toEqual(["a.ts\nCart\nsub();"]);
  expect(made?.byHash.get(brought.textHash)).toBe(brought.vector);
  expect([sync.embedsNow, sync.status().textsEmbedded]).toEqual([true, 2]);
});

test("a model makes them later", async () => {
  const { isInstant: _, ...model } = embedder;
  const sync = start(model);
  expect(sync.embedsNow).toBe(false);
  expect(await sync.embedNow("a.ts", [chunkOf("add();")])).toBeUndefined();
  expect(asked).toEqual([]);
});

test("vectors are still made while another embedder takes over", async () => {
  const sync = start(embedder);
  await sync.close();
  expect((await sync.embedNow("a.ts", [chunkOf("add();")]))?.byHash.size).toBe(1);
});
