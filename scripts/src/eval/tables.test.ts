import { expect, test } from "vitest";
import type { CursorScores } from "./ask-methods.ts";
import { compare } from "./comparison.ts";
import type { Scores } from "./metrics.ts";
import { groupTable, legTable, methodTable, table, verdict } from "./tables.ts";
import { situationAt } from "./testing/situation.ts";

const { cursor } = situationAt({}, "a.ts", "█▒");

/** @param coverage NaN where nothing is needed */
const scores = (recall: boolean, coverage: number, tokens = 900): Scores => ({
  ...{ recall: { 1: false, 5: recall, 10: recall }, coverage: { 1024: coverage }, tokens },
});

function results(dhi: number, baseline: number): CursorScores[] {
  return Array.from({ length: 40 }, (_, i) => ({
    cursor: { ...cursor, id: String(i), package: i % 2 ? "shop-1.0" : "bank-1.0" },
    scores: {
      Dhi: scores(i < dhi, i < 10 ? 0.6 : Number.NaN),
      "no context": scores(false, i < 10 ? 0 : Number.NaN, 0),
      "BM25 windows": scores(i < baseline, i < 10 ? 0.5 : Number.NaN),
      "BM25 oracle": scores(true, i < 10 ? 1 : Number.NaN),
      "definitions alone": scores(i < dhi, Number.NaN),
      "without definitions": scores(false, i < 10 ? 0.6 : Number.NaN),
    },
    legs: i < 20 ? ["definitions"] : [],
    retrievalMs: i,
  }));
}

test("a target is held against the best baseline, not against the oracle", () => {
  expect(verdict(compare(results(32, 16), 1))).toMatch(
    /^- definition recall@5: 2\.00 \(1\.\d\d–\d\.\d\d\) the best baseline \(BM25 windows\); target 1\.5: reached\.\n- identifier coverage@1024: 1\.20 \(1\.20–1\.20\) the best baseline \(BM25 windows\); target 1\.3: \*\*missed\*\*\.$/,
  );
  expect(verdict(compare([], 1))).toBe("");
});

test("methods stand in a fixed order with their figures", () => {
  const rows = methodTable(compare(results(32, 16), 1))
    .split("\n")
    .slice(2);
  expect(
    rows.map((row) =>
      row
        .split("|")
        .slice(1, 8)
        .map((cell) => cell.trim()),
    ),
  ).toEqual([
    ["Dhi", "0.0 %", "80.0 %", "80.0 %", "60.0 %", "900", "0.0 %"],
    ["no context", "0.0 %", "0.0 %", "0.0 %", "0.0 %", "0", "100.0 %"],
    ["BM25 windows", "0.0 %", "40.0 %", "40.0 %", "50.0 %", "900", "0.0 %"],
    ["BM25 oracle", "0.0 %", "100.0 %", "100.0 %", "100.0 %", "900", "0.0 %"],
  ]);
});

test("a leg adds what is missing without it", () => {
  const [row] = legTable(compare(results(32, 16), 1))
    .split("\n")
    .slice(2);
  expect(row?.split("|").map((cell) => cell.trim())).toEqual([
    ...["", "definitions", "50.0 %", "80.0 %", "–"],
    expect.stringMatching(/^\+80\.0 \(\+6\d\.\d to \+9\d\.\d\)$/),
    ...["+0.0 (+0.0 to +0.0)", ""],
  ]);
});

test("groups have their own means", () => {
  const comparison = compare(results(32, 16), 1);
  expect(comparison.cursorsInNeed).toBe(10);
  expect(groupTable(comparison, "package").split("\n")).toHaveLength(4);
  expect(comparison.groups.find(({ group }) => group === "shop-1.0")).toMatchObject({
    cursors: 20,
    recall: { Dhi: 0.8, "BM25 windows": 0.4 },
  });
});

test("tables line up", () => {
  expect(table(["leg", "weight"], [["definitions", "2"]])).toBe(
    "| leg         | weight |\n|-------------|-------:|\n| definitions |      2 |",
  );
});
