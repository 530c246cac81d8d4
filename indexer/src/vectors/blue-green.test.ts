import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "@dhi/core/embedder";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { type ChromaServer, startChroma } from "@dhi/core/testing/chroma-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { createVectorStore } from "@dhi/core/vector-store";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type TempVectors, tempVectors } from "../testing/temp-vectors.ts";

let home: ReturnType<typeof tempDir>;
let chroma: ChromaServer;
let index: TempVectors;
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
});
afterEach(() => index[Symbol.asyncDispose]());

/** A model under one name, whose vectors may change their length, and that may stop after some texts. */
function model(length: number, { id = "model:1", most = Number.POSITIVE_INFINITY } = {}) {
  const asked: string[] = [];
  const embedder: Embedder = {
    ...createHashEmbedder(),
    id,
    batchSize: 5,
    async embedDocuments(texts) {
      if (asked.length + texts.length > most) throw new Error("away");
      asked.push(...texts);
      return texts.map((text) => Array.from({ length }, (_, i) => Math.sin(text.length + i + 1)));
    },
  };
  return { embedder, asked };
}
const texts = Array.from({ length: 30 }, (_, i) => `f${i}()`);
const exists = (collection: string) =>
  createVectorStore({ url: chroma.url, collection })
    .count(new AbortController().signal)
    .then(
      () => true,
      () => false,
    );

test("a model that makes longer vectors than before gets a new collection; the old one answers until that is complete", async () => {
  index.put("a.ts", ...texts);
  const old = index.start({ store: chroma.url, embedder: model(8).embedder });
  await old.idle();
  await old.close();
  const before = index.meta();

  // The change is met with the first new text, and the model goes away in the middle of the rest.
  index.put("b.ts", "new()");
  const half = model(16, { most: 16 });
  const sync = index.start({ store: chroma.url, embedder: half.embedder });
  await expect.poll(() => sync.status().embedder.status).toBe("down");
  expect(half.asked.length).toBe(16);
  expect(index.meta()).toEqual(before);
  expect(await index.held(chroma.url)).toHaveLength(30);
  await sync.close();

  // As after a kill: what was made stays, only the rest is embedded.
  const whole = model(16);
  const again = index.start({ store: chroma.url, embedder: whole.embedder });
  await again.idle();
  expect(whole.asked).toHaveLength(15);
  expect(index.meta()).toEqual({ collection: `${before.collection}-16d`, embedder: "model:1" });
  expect(await index.held(chroma.url)).toHaveLength(31);
  expect(await exists(before.collection ?? "")).toBe(false);
  expect(again.onlyEmbedder()).toBe("model:1@16");
  await again.close();

  const third = model(16);
  await index.start({ store: chroma.url, embedder: third.embedder }).idle();
  expect(third.asked).toEqual([]);
});

test("embedder and collection change together, and what changed meanwhile is in the new one", async () => {
  index.put("a.ts", ...texts);
  const old = index.start({ store: chroma.url, embedder: model(8, { id: "old:1" }).embedder });
  await old.idle();
  await old.close();
  const seen = new Set<string>();
  const sync = index.start({ store: chroma.url, embedder: model(8, { id: "new:1" }).embedder });
  index.put("a.ts", "changed()");
  index.put("b.ts", ...texts.slice(10));
  const look = setInterval(() => seen.add(JSON.stringify(index.meta())), 1);
  await sync.idle();
  clearInterval(look);
  seen.add(JSON.stringify(index.meta()));
  expect([...seen]).toEqual([
    JSON.stringify({ collection: index.nameFor("old:1"), embedder: "old:1" }),
    JSON.stringify({ collection: index.nameFor("new:1"), embedder: "new:1" }),
  ]);
  expect(await index.held(chroma.url)).toHaveLength(21);
});

test("a rebuild that was killed goes on with the collection it had begun", async () => {
  index.put("a.ts", ...texts);
  const embedder = model(8).embedder;
  const sync = index.start({ store: chroma.url, embedder, timing: { rebuildFromSlots: 40 } });
  await sync.idle();
  const first = index.meta().collection;
  let killed = false;
  const slowStore = (collection: string) => {
    const store = createVectorStore({ url: chroma.url, collection });
    return {
      ...store,
      async add(...[records, signal]: Parameters<typeof store.add>) {
        if (collection === first) return store.add(records, signal);
        if (!killed) await store.add(records.slice(0, 10), signal);
        killed = true;
        throw new Error("killed");
      },
    };
  };
  await sync.close();
  index.put("a.ts", ...texts.map((text) => `new ${text}`));
  const second = index.start({ store: slowStore, embedder, timing: { rebuildFromSlots: 40 } });
  await second.idle();
  index.put("a.ts", ...texts.map((text) => `newer ${text}`));
  second.kick();
  await expect.poll(() => killed).toBe(true);
  expect(index.meta().collection).toBe(first);
  await second.close();

  const third = index.start({ store: chroma.url, embedder, timing: { rebuildFromSlots: 10_000 } });
  expect(third.status().vectors.collection).toBe(`${first}-2`);
  await third.idle();
  expect(index.meta().collection).toBe(`${first}-2`);
  expect(await index.held(chroma.url)).toHaveLength(30);
  expect(await exists(first ?? "")).toBe(false);
});
