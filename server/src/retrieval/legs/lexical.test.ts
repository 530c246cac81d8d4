import { openIndexForReading } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { type SeedChunk, seedIndex } from "../../testing/seed-index.ts";
import type { Found } from "../leg.ts";
import { retrievalQuery } from "../query.ts";
import { lexicalLeg } from "./lexical.ts";

async function find(prefix: string, chunks: readonly SeedChunk[]): Promise<Found[]> {
  using home = tempDir();
  const db = seedIndex(home.dir, chunks);
  const query = retrievalQuery({ path: "open.ts", prefix, suffix: "" });
  const found = await lexicalLeg(db, query, new AbortController().signal);
  db.close();
  return found;
}
const paths = (found: readonly Found[]) => found.map(({ path }) => path);

test("rare names and many of them come first, whatever was indexed first", async () => {
  const found = await find("request(formatCents(", [
    { path: "common-1.ts", text: "request(a);" },
    { path: "common-2.ts", text: "request(b);" },
    { path: "rare.ts", text: "request(formatCents(total)); formatCents(1);" },
    { path: "none.ts", text: "unrelated();" },
  ]);
  expect(paths(found)).toEqual(["rare.ts", "common-1.ts", "common-2.ts"]);
});

test("the nearest name counts more than a further one that is as rare", async () => {
  const found = await find("const invoice = load();\nsend(parcel, ", [
    { path: "a.ts", text: "invoice" },
    { path: "b.ts", text: "parcel" },
  ]);
  expect(paths(found)).toEqual(["b.ts", "a.ts"]);
});

test("the unfinished name is looked for by its start", async () => {
  expect(paths(await find("parc", [{ path: "a.ts", text: "parcelOf(x)" }]))).toEqual(["a.ts"]);
});

test("of a long chunk it shows where the names stand together, and what comes next", async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `filler_${i};`);
  const text = lines.with(5, "invoice;").with(40, "invoice; parcel;").join("\n");
  const [found] = await find("invoice; parcel; ", [{ path: "long.ts", text }]);
  expect(found).toMatchObject({ startLine: 31, endLine: 46 });
  expect(found?.text.split("\n")).toEqual(text.split("\n").slice(30, 46));
});

test("what is no code is not wanted in code", async () => {
  expect(await find("send(parcel)", [{ path: "a.json", text: '"parcel"', language: "json" }])).toEqual([]);
});

test("what came since the last keystroke is found, and what left the tree is not", async () => {
  using home = tempDir();
  const writer = seedIndex(home.dir, [
    { path: "a.ts", text: "send(parcel)" },
    { path: "b.ts", text: "parcel(1)" },
  ]);
  const db = openIndexForReading(home.dir);
  const query = retrievalQuery({ path: "open.ts", prefix: "parcel; ", suffix: "" });
  const ask = async () => db && paths(await lexicalLeg(db, query, new AbortController().signal));
  expect(await ask()).toEqual(["a.ts", "b.ts"]);
  writer.exec("DELETE FROM live WHERE path = 'a.ts'");
  seedIndex(home.dir, [{ path: "c.ts", text: "weigh(parcel)" }]).close();
  expect(await ask()).toEqual(["b.ts", "c.ts"]);
  writer.close();
  db?.close();
});

test("behind more places that are gone than are shown, those that are still there are found", async () => {
  const gone = Array.from({ length: 80 }, (_, i) => ({
    ...{ path: `gone-${i}.ts`, text: `send(parcel, ${i})`, gone: true },
  }));
  const found = await find("send(parcel, ", [...gone, { path: "there.ts", text: "parcel(1)" }]);
  expect(paths(found)).toEqual(["there.ts"]);
});
