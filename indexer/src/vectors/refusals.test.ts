import { textHash } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeChroma, fakeChroma, type TempVectors, tempVectors } from "../testing/temp-vectors.ts";
import { describeChromaError } from "./chroma-problem.ts";
import { PROBE_ID } from "./vector-writer.ts";

let home: ReturnType<typeof tempDir>;
let index: TempVectors;
let chroma: FakeChroma;
beforeEach(() => {
  home = tempDir();
  index = tempVectors(home.dir);
  chroma = fakeChroma();
});
afterEach(async () => {
  await index[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

const held = () => [...(chroma.collections.get(index.nameFor("hash:1"))?.keys() ?? [])].sort();
const idOf = (path: string, text: string) => `${path}#${textHash(text)}`;
const many = Array.from({ length: 30 }, (_, i) => `f${i}()`);

test("one record that Chroma refuses is named and set aside; all others go on, and it is tried again", async () => {
  let broken = true;
  const poison = idOf("a.ts", "poison()");
  chroma.refuse = (call, ids) =>
    broken && call === "add" && ids.includes(poison) ? new Error("422 cannot take this") : undefined;
  index.put("a.ts", ...many, "poison()");
  index.put("b.ts", "other()");
  const sync = index.start({ store: chroma.open, timing: { refusedMs: 300 } });
  await sync.idle();
  expect(held()).toHaveLength(31);
  expect(held()).not.toContain(PROBE_ID);
  expect(sync.status().vectors).toEqual({
    ...{ collection: index.nameFor("hash:1"), status: "ok", stored: 31 },
    detail: "Chroma refuses 1 vectors, e.g. of a.ts: chroma: 422 cannot take this",
  });

  index.put("c.ts", "later()");
  await sync.idle();
  expect(held()).toContain(idOf("c.ts", "later()"));

  broken = false;
  await expect.poll(held).toContain(poison);
  await expect.poll(() => sync.status().vectors.detail).toBe("holds every chunk");
  expect(index.remembered()).toEqual(held());
});

test("a refused record that is not wanted any more is forgotten", async () => {
  const poison = idOf("a.ts", "poison()");
  chroma.refuse = (call, ids) => (call === "add" && ids.includes(poison) ? new Error("422") : undefined);
  index.put("a.ts", "one()", "poison()");
  const sync = index.start({ store: chroma.open, timing: { refusedMs: 60_000 } });
  await sync.idle();
  expect(sync.status().vectors.detail).toContain("refuses 1 vectors");
  index.put("a.ts", "one()");
  await sync.idle();
  expect(sync.status().vectors.detail).toBe("holds every chunk");
});

test("a Chroma that takes nothing is down, says so once, and gets everything when it takes it again", async () => {
  let full = true;
  chroma.refuse = (call) =>
    full && ["add", "delete", "updateMetadata"].includes(call)
      ? new Error("(code: 13) database or disk is full")
      : undefined;
  index.put("a.ts", ...many);
  const sync = index.start({ store: chroma.open });
  await expect
    .poll(() => sync.status().vectors)
    .toEqual({
      ...{ collection: index.nameFor("hash:1"), status: "down", stored: 0 },
      detail:
        "no room left on the disk of the Chroma server; free some space there, and it goes on by itself (chroma: (code: 13) database or disk is full)",
    });
  expect(sync.status()).toMatchObject({ embedder: { status: "ok" }, textsEmbedded: 30, storage: undefined });
  // Halving a batch that is refused as a whole would ask for each record.
  expect(chroma.calls.filter((call) => call === "add").length).toBeLessThan(15);
  full = false;
  await sync.idle();
  expect(held()).toHaveLength(30);
  expect(sync.status().vectors.status).toBe("ok");
});

test.each(["collectionId", "count", "ids", "add", "delete", "updateMetadata", "dropOthers"])(
  "a %s that fails now and then loses nothing",
  async (failing) => {
    let calls = 0;
    chroma.refuse = (call) =>
      call === failing && calls++ % 3 === 0 ? new Error("500 now and then") : undefined;
    for (let i = 0; i < 20; i++) index.put(`${i}.ts`, `one${i}()`, `two${i}()`);
    const sync = index.start({ store: chroma.open });
    await sync.idle();
    for (let i = 0; i < 20; i += 2) index.putFrom(`${i}.ts`, 5, `one${i}()`, `new${i}()`);
    index.remove("1.ts");
    await sync.idle();
    expect(held()).toEqual(
      Array.from({ length: 20 }, (_, i) => [
        idOf(`${i}.ts`, `one${i}()`),
        idOf(`${i}.ts`, `${i % 2 ? "two" : "new"}${i}()`),
      ])
        .filter((_, i) => i !== 1)
        .flat()
        .sort(),
    );
    expect(index.remembered()).toEqual(held());
  },
);

test("what stands in the collection and is not ours is removed when Chroma's list is read", async () => {
  index.put("a.ts", "one()");
  const name = index.nameFor("hash:1");
  const stray = chroma.open(name);
  const never = new AbortController().signal;
  await stray.collectionId(never);
  const metadata = { file_path: "-", start_line: 1, end_line: 1, language: "-", node_type: "-" };
  await stray.add([{ id: PROBE_ID, embedding: [1], document: "probe", metadata }], never);
  const sync = index.start({ store: chroma.open });
  await sync.idle();
  expect(held()).toEqual([idOf("a.ts", "one()")]);
});

test.each([
  [
    "Database error: error returned from database: (code: 13) database or disk is full",
    /no room left on the disk of the Chroma/,
  ],
  ["IO error: No space left on device (os error 28)", /no room left on the disk of the Chroma/],
  ["error returned from database: (code: 8) attempt to write a readonly database", /cannot write its data/],
  ["IO error: Permission denied (os error 13)", /cannot write its data/],
  ["database: (code: 1032) attempt to write a readonly database", /was deleted while it ran; start it again/],
  ["500 something else", /^500 something else$/],
])("%s", (words, expected) => {
  expect(describeChromaError(new Error(words))).toMatch(expected);
});
