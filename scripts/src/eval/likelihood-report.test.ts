import { expect, test } from "vitest";
import type { CursorNats } from "./likelihood-measure.ts";
import { likelihoodMarkdown, likelihoodReport } from "./likelihood-report.ts";

/** Rows of the tables, without what aligns them. */
const cellsOf = (markdown: string) =>
  markdown
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.replaceAll(/ +/g, " "));

const run = {
  ...{ set: "test", seed: 1, perPackage: 5, wanted: 20, model: "Fake.gguf 123" },
  ...{ commit: "abc", date: "2026-01-01", machine: "2 cores" },
};

/** Dhi is half a nat better than no context, with or without `lexical`. */
const results = Array.from({ length: 8 }, (_, i): CursorNats => {
  const hasNames = i % 2 === 0;
  const byMethod = (none: number) => ({
    "without lexical": none - 0.5,
    "no context": none,
    Dhi: none - 0.5,
  });
  return {
    cursor: {
      id: String(i),
      package: i < 4 ? "a" : "b",
      language: "go",
      kind: hasNames ? "body" : "mid-line",
    },
    all: byMethod(2 + i / 10),
    names: hasNames ? byMethod(4) : byMethod(Number.NaN),
    prompts: { "without lexical": i === 0 ? "p" : "q", "no context": "r", Dhi: "p" },
  };
});

test("gives each method's mean and how far Dhi is from it", () => {
  const { methods, cursors, cursorsWithNames, wanted } = likelihoodReport(results, run);
  expect({ cursors, cursorsWithNames, wanted }).toEqual({ cursors: 8, cursorsWithNames: 4, wanted: 20 });
  const half = {
    value: expect.closeTo(-0.5, 9),
    low: expect.closeTo(-0.5, 9),
    high: expect.closeTo(-0.5, 9),
  };
  const none = { value: 0, low: 0, high: 0 };
  const mean = expect.closeTo(1.85, 9);
  expect(methods).toEqual([
    { method: "Dhi", all: mean, names: 3.5, dhiMinusAll: none, dhiMinusNames: none, differs: 0 },
    {
      ...{ method: "no context", all: expect.closeTo(2.35, 9), names: 4, differs: 1 },
      ...{ dhiMinusAll: half, dhiMinusNames: half },
    },
    {
      ...{ method: "without lexical", all: mean, names: 3.5, differs: 7 / 8 },
      ...{ dhiMinusAll: none, dhiMinusNames: none },
    },
  ]);
});

test("compares Dhi with no context by kind, language and package", () => {
  const { groups } = likelihoodReport(results, run);
  expect(groups.map(({ by, group, cursors }) => [by, group, cursors])).toEqual([
    ["kind", "body", 4],
    ["kind", "mid-line", 4],
    ["language", "go", 8],
    ["package", "a", 4],
    ["package", "b", 4],
  ]);
  expect(groups.map(({ all, names }) => [all.value, names.value])).toEqual([
    [expect.closeTo(-0.5, 9), -0.5],
    [expect.closeTo(-0.5, 9), Number.NaN],
    [expect.closeTo(-0.5, 9), -0.5],
    [expect.closeTo(-0.5, 9), -0.5],
    [expect.closeTo(-0.5, 9), -0.5],
  ]);
});

test("the section has a row for each method and says how much was measured", () => {
  const markdown = likelihoodMarkdown(likelihoodReport(results, run));
  expect(cellsOf(markdown)).toEqual([
    "| method | nats/token | Dhi − it | on names | Dhi − it | other prompt |",
    "| Dhi | 1.850 | | 3.500 | | |",
    "| no context | 2.350 | −0.500 (−0.500 to −0.500) | 4.000 | −0.500 (−0.500 to −0.500) | 100 % |",
    "| without lexical | 1.850 | +0.000 (+0.000 to +0.000) | 3.500 | +0.000 (+0.000 to +0.000) | 88 % |",
    "| group | cursors | Dhi − it | Dhi − it, on names |",
    "| kind: body | 4 | −0.500 (−0.500 to −0.500) | −0.500 (−0.500 to −0.500) |",
    "| kind: mid-line | 4 | −0.500 (−0.500 to −0.500) | – |",
    "| language: go | 8 | −0.500 (−0.500 to −0.500) | −0.500 (−0.500 to −0.500) |",
    "| package: a | 4 | −0.500 (−0.500 to −0.500) | −0.500 (−0.500 to −0.500) |",
    "| package: b | 4 | −0.500 (−0.500 to −0.500) | −0.500 (−0.500 to −0.500) |",
  ]);
  expect(markdown).toContain("8 of 20 cursors of the test packages");
  expect(markdown).toContain("`npm run eval -- likelihood --set test --seed 1 --per-package 5` repeats it.");
  expect(markdown).toContain("(4 cursors have some)");
});
