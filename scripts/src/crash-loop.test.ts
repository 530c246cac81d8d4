import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildIndexer } from "@dhi/indexer/testing/indexer-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { crashLoop, ownSources } from "./crash-loop.ts";

let indexerMain: string;
beforeAll(async () => {
  indexerMain = await buildIndexer();
});
afterAll(() => rmSync(indexerMain, { force: true }));

test("killed in the first index, in saves, in a checkout and in a change of embedder, it recovers", async () => {
  const packages = ownSources(join(import.meta.dirname, "../.."));
  const rounds = await crashLoop({ rounds: 4, seed: 3, files: 30, packages, indexerMain });
  expect(rounds.map(({ kind, differences }) => ({ kind, differences }))).toEqual(
    ["first index", "save storm", "checkout", "embedder swap"].map((kind) => ({ kind, differences: [] })),
  );
}, 600_000);
