import type { Embedder } from "@dhi/core/embedder";
import { textHash } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { fakeChroma, tempVectors } from "../testing/temp-vectors.ts";

/** Fast, and as short as vectors can be. */
const tiny: Embedder = {
  ...{ id: "tiny:1", batchSize: 100 },
  embedDocuments: async (texts) => texts.map((text) => [text.length, 1]),
  embedQuery: async (text) => [text.length, 1],
};
const unhurried = { checkMs: 60_000, pauseMs: 20 };

test.each([1_000, 10_000])(
  "one edited function of %i files: three calls of Chroma",
  async (files) => {
    using home = tempDir();
    await using index = tempVectors(home.dir);
    const chroma = fakeChroma();
    index.db.transaction(() => {
      for (let i = 0; i < files; i++) index.put(`src/${i}.ts`, `one${i}()`, `two${i}()`, `three${i}()`);
    })();
    const sync = index.start({ store: chroma.open, embedder: tiny, timing: unhurried });
    await sync.idle();
    expect(chroma.collections.get(index.nameFor("tiny:1"))?.size).toBe(3 * files);
    chroma.calls.length = 0;
    index.putFrom("src/7.ts", 2, "one7()", "changed()", "three7()");
    const { textsEmbedded } = sync.status();
    await sync.idle();
    expect(chroma.calls).toEqual(["add", "delete", "updateMetadata"]);
    expect(sync.status().textsEmbedded - textsEmbedded).toBe(1);
  },
  60_000,
);

test("many files saved at once share their calls", async () => {
  using home = tempDir();
  await using index = tempVectors(home.dir);
  const chroma = fakeChroma();
  for (let i = 0; i < 40; i++) index.put(`${i}.ts`, `one${i}()`, `two${i}()`);
  const sync = index.start({ store: chroma.open, embedder: tiny, timing: unhurried });
  await sync.idle();
  chroma.calls.length = 0;
  index.db.transaction(() => {
    for (let i = 0; i < 8; i++) index.put(`${i}.ts`, `changed${i}()`, `two${i}()`);
  })();
  await sync.idle();
  expect(chroma.calls).toEqual(["add", "delete"]);
});

test("saves that follow one another share their calls, and wait no longer than the first of them", async () => {
  using home = tempDir();
  await using index = tempVectors(home.dir);
  const chroma = fakeChroma();
  for (let i = 0; i < 40; i++) index.put(`${i}.ts`, `one${i}()`);
  const sync = index.start({ store: chroma.open, embedder: tiny, timing: { ...unhurried, gatherMs: 1_000 } });
  await sync.idle();
  chroma.calls.length = 0;
  const began = performance.now();
  for (let i = 0; i < 3; i++) {
    index.put(`${i}.ts`, `changed${i}()`);
    sync.kick();
    await expect.poll(() => sync.status().vectors.detail).toBe(`${i + 1} files to compare`);
  }
  expect(chroma.calls).toEqual([]);
  await sync.idle();
  expect(chroma.calls).toEqual(["add", "delete"]);
  expect(performance.now() - began).toBeGreaterThan(900);
});

test("what is put and gone again before Chroma hears of it costs no call", async () => {
  using home = tempDir();
  await using index = tempVectors(home.dir);
  const chroma = fakeChroma();
  for (let i = 0; i < 40; i++) index.put(`${i}.ts`, `one${i}()`);
  const sync = index.start({ store: chroma.open, embedder: tiny, timing: { ...unhurried, gatherMs: 500 } });
  await sync.idle();
  chroma.calls.length = 0;
  index.put("new.ts", "fleeting()");
  sync.kick();
  await expect.poll(() => sync.status().vectors.detail).toBe("1 files to compare");
  index.remove("new.ts");
  await sync.idle();
  expect(chroma.calls).toEqual([]);
});

test("what waited to be gathered when the indexer ended is written by the next start", async () => {
  using home = tempDir();
  await using index = tempVectors(home.dir);
  const chroma = fakeChroma();
  const held = () => [...(chroma.collections.get(index.nameFor("tiny:1"))?.values() ?? [])];
  for (const path of ["edited.ts", "gone.ts"]) index.put(path, `in ${path}`);
  const timing = { ...unhurried, gatherMs: 60_000 };
  const first = index.start({ store: chroma.open, embedder: tiny, timing });
  await first.idle(AbortSignal.timeout(5_000));
  index.put("edited.ts", "edited()");
  index.remove("gone.ts");
  first.kick();
  await expect.poll(() => first.status().pendingEmbeddings).toBe(0);
  await expect.poll(() => first.status().vectors.detail).toBe("2 files to compare");
  // As a kill does, this leaves the database behind as it is at this moment.
  await first.close();
  expect(held().map(({ document }) => document)).toEqual(["in edited.ts", "in gone.ts"]);

  const second = index.start({ store: chroma.open, embedder: tiny, timing });
  await second.idle(AbortSignal.timeout(5_000));
  expect(held().map(({ document }) => document)).toEqual(["edited()"]);
  expect(second.status().textsEmbedded).toBe(0);
});

test("what is more than saves bring does not wait to be gathered", async () => {
  using home = tempDir();
  await using index = tempVectors(home.dir);
  const chroma = fakeChroma();
  const sync = index.start({ store: chroma.open, embedder: tiny, timing: { gatherMs: 60_000 } });
  for (let i = 0; i < 40; i++) index.put(`${i}.ts`, `one${i}()`);
  sync.kick();
  await sync.idle(AbortSignal.timeout(5_000));
  for (let i = 0; i < 20; i++) index.put(`${i}.ts`, `other${i}()`);
  await sync.idle(AbortSignal.timeout(5_000));
});

test("a save is in Chroma before anything has slept", async () => {
  using home = tempDir();
  await using index = tempVectors(home.dir);
  const chroma = fakeChroma();
  index.put("a.ts", "one()", "two()");
  const timing = { ...unhurried, pauseMs: 0 };
  const sync = index.start({ store: chroma.open, embedder: tiny, timing });
  await sync.idle();
  const took: number[] = [];
  for (let i = 0; i < 10; i++) {
    const began = performance.now();
    index.put("a.ts", `changed${i}()`, "two()");
    sync.kick();
    const id = `a.ts#${textHash(`changed${i}()`)}`;
    while (!chroma.collections.get(index.nameFor("tiny:1"))?.has(id)) await new Promise(setImmediate);
    took.push(performance.now() - began);
    await sync.idle();
  }
  // A sleep between the steps would show in each of them.
  expect(Math.min(...took)).toBeLessThan(15);
});

test("saves go on beside a backlog that makes room", async () => {
  using home = tempDir();
  await using index = tempVectors(home.dir);
  const chroma = fakeChroma();
  for (let i = 0; i < 400; i++) index.put(`old/${i}.ts`, `old${i}()`);
  let texts = 0;
  const embedder: Embedder = {
    ...tiny,
    async embedDocuments(batch, signal) {
      texts += batch.length;
      return tiny.embedDocuments(batch, signal);
    },
  };
  const sync = index.start({ store: chroma.open, embedder, demand: { isCompleting: () => true } });
  // In fours, two seconds apart.
  await expect.poll(() => texts, { timeout: 10_000, interval: 5 }).toBe(4);
  index.put("new.ts", "new()");
  sync.kick();
  const id = `new.ts#${textHash("new()")}`;
  await expect
    .poll(() => [...chroma.collections.values()].some((c) => c.has(id)), { timeout: 1_500 })
    .toBe(true);
  expect(texts).toBeLessThan(20);
});
