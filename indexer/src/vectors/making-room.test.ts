import type { Embedder } from "@dhi/core/embedder";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeChroma, type TempVectors, tempVectors } from "../testing/temp-vectors.ts";

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

/** Takes `ms` for a call; notes how many texts each has, and how many run at once. */
function slowModel(ms: number) {
  const sizes: number[] = [];
  let running = 0;
  let most = 0;
  const embedder: Embedder = {
    ...{ id: "slow:1", batchSize: 32, parallel: 2 },
    async embedDocuments(texts, signal) {
      sizes.push(texts.length);
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, ms));
      running--;
      signal.throwIfAborted();
      return texts.map((text) => [text.length, 1]);
    },
    embedQuery: async () => [1, 1],
  };
  return { embedder, sizes, most: () => most };
}
function putMany(n: number): void {
  for (let i = 0; i < n; i++) index.put(`${i}.ts`, `one${i}()`);
}

test("embeds in batches of 32, two at once", async () => {
  putMany(150);
  const { embedder, sizes, most } = slowModel(5);
  await index.start({ store: fakeChroma().open, embedder }).idle();
  expect(sizes).toEqual([32, 32, 32, 32, 22]);
  expect(most()).toBe(2);
});

test("a slow model gets as much as two seconds of work, one call at a time, so that a query need not wait long", async () => {
  putMany(200);
  // As if each text took 200 ms.
  const { embedder, sizes, most } = slowModel(5);
  const real = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => real() + ahead;
  const sync = index.start({
    store: fakeChroma().open,
    embedder: {
      ...embedder,
      async embedDocuments(texts, signal) {
        const vectors = await embedder.embedDocuments(texts, signal);
        ahead += 200 * texts.length;
        return vectors;
      },
    },
  });
  await sync.idle();
  performance.now = real;
  expect(sizes.slice(0, 2)).toEqual([32, 32]);
  expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(10);
  expect(most()).toBe(2);
});

test.each([
  ["while completions run", { isCompleting: () => true }],
  ["on a battery", { onBattery: () => true }],
])("a backlog goes in fours, one at a time, and does go on %s", async (_, demand) => {
  putMany(60);
  const { embedder, sizes, most } = slowModel(1);
  index.start({ store: fakeChroma().open, embedder, demand });
  await expect.poll(() => sizes.length, { timeout: 8_000 }).toBeGreaterThanOrEqual(2);
  expect([...new Set(sizes)]).toEqual([4]);
  expect(most()).toBe(1);
});

test("Chroma gets tens with pauses while completions run, also when it is being filled", async () => {
  putMany(120);
  const { embedder } = slowModel(0);
  let isCompleting = true;
  const chroma = fakeChroma();
  const adds: number[] = [];
  chroma.refuse = (call, ids) => {
    if (call === "add") adds.push(ids.length);
    return undefined;
  };
  const sync = index.start({ store: chroma.open, embedder, demand: { isCompleting: () => isCompleting } });
  await expect.poll(() => adds.length, { timeout: 10_000 }).toBeGreaterThan(0);
  isCompleting = false;
  expect(Math.max(...adds)).toBeLessThanOrEqual(10);
  await sync.idle();
  expect(Math.max(...adds)).toBeGreaterThan(10);
});

test("tells how long it will take, once it has begun, and nothing while something is down", async () => {
  putMany(320);
  const { embedder, sizes } = slowModel(30);
  const chroma = fakeChroma();
  const sync = index.start({ store: chroma.open, embedder: { ...embedder, parallel: 1 } });
  expect(sync.progress(320, 0)).toEqual({ embedded: 0, chunksTotal: 320, etaMs: null });
  const etas: number[] = [];
  while (sizes.length < 10) {
    const { etaMs } = sync.progress(320, 0);
    if (etaMs !== null) etas.push(etaMs);
    await new Promise((done) => setTimeout(done, 5));
  }
  expect(Math.max(...etas)).toBeGreaterThan(200);
  expect(Math.max(...etas)).toBeLessThan(3_000);
  expect(etas.at(-1)).toBeLessThan(Math.max(...etas) / 2);
  await sync.idle();
  expect(sync.progress(320, 0)).toEqual({ embedded: 320, chunksTotal: 320, etaMs: 0 });
  chroma.refuse = () => new Error("500");
  index.put("new.ts", "new()");
  sync.kick();
  await expect.poll(() => sync.progress(321, 0)).toEqual({ embedded: 320, chunksTotal: 321, etaMs: null });
});
