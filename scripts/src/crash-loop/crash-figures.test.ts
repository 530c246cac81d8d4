import { expect, test } from "vitest";
import { crashFigures } from "./crash-figures.ts";

test("counts kills and indexes that did not recover, by what was interrupted", () => {
  const round = { killedAfterMs: 5, killedAgain: false, chromaKilled: true, differences: [] };
  const { figures, notes } = crashFigures(
    [
      { ...round, kind: "checkout", equalAfterMs: 1_000 },
      { ...round, kind: "checkout", equalAfterMs: 60_000, differences: ["+ a row"] },
      { ...round, kind: "save storm", equalAfterMs: 3_000, killedAgain: true },
    ],
    ["save storm", "checkout"],
    { seed: 7, files: 60 },
  );
  expect(figures.map(({ what, value, limit }) => [what, value, limit])).toEqual([
    ["times that the indexer was killed (`kill -9`)", 3, undefined],
    ["killed during: save storm", 1, undefined],
    ["save storm: indexes that differ from a fresh one", 0, 0],
    ["killed during: checkout", 2, undefined],
    ["checkout: indexes that differ from a fresh one", 1, 0],
    ["equal to a fresh index, p50", 1, undefined],
    ["equal to a fresh index, p95", 3, undefined],
  ]);
  expect(notes.join()).toContain(
    "1 times it was killed again while it recovered, 3 times Chroma was killed too",
  );
  expect(notes.join()).toContain("`npm run crash-loop -- --rounds 3 --seed 7 --files 60`");
});

test("has no times when every round failed", () => {
  const failed = {
    kind: "checkout",
    killedAfterMs: Number.NaN,
    killedAgain: false,
    chromaKilled: false,
  } as const;
  const { figures } = crashFigures(
    [{ ...failed, equalAfterMs: Number.NaN, differences: ["! no answer"] }],
    ["checkout"],
    { seed: 7, files: 60 },
  );
  expect(figures.map(({ what, value }) => [what, value])).toEqual([
    ["times that the indexer was killed (`kill -9`)", 1],
    ["killed during: checkout", 1],
    ["checkout: indexes that differ from a fresh one", 1],
  ]);
});
