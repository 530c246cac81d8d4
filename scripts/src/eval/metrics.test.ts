import { expect, test } from "vitest";
import { coverage, neededNames, packedBy, recallAt, scoresOf } from "./metrics.ts";
import { situationAt } from "./testing/situation.ts";

const gold = [
  {
    name: "formatCents",
    kind: "function",
    container: null,
    path: "money.ts",
    startLine: 1,
    endLine: 9,
    nameLine: 3,
  },
];
const snippet = (path: string, startLine: number, endLine: number, text: string) => ({
  ...{ path, startLine, endLine, text },
});
const other = snippet("other.ts", 1, 9, "formatCents(1)");

test.each([
  ["the line of the name, with the name", snippet("money.ts", 3, 4, "function formatCents("), true],
  ["its signature alone", snippet("money.ts", 1, 9, "formatCents(cents: number): string"), true],
  ["lines behind the name", snippet("money.ts", 4, 9, "return formatCents(1)"), false],
  ["the lines without the name", snippet("money.ts", 1, 9, "function formatCent_("), false],
  ["another file", other, false],
])("a definition is shown by %s: %s", (_, shown, expected) => {
  expect(recallAt(1, [shown], { gold })).toBe(expected);
});

test("only the first k snippets count", () => {
  const found = [other, snippet("money.ts", 3, 3, "formatCents")];
  expect([recallAt(1, found, { gold }), recallAt(2, found, { gold })]).toEqual([false, true]);
});

test("needed is what the open file does not show and another file has", () => {
  const files = { "money.ts": "export function formatCents() {}\nexport const Euro = 1;\n" };
  const { cursor, facts } = situationAt(
    files,
    "invoice.ts",
    "import { Euro };\n█const text = formatCents(Euro);▒\n",
  );
  const identifiers = ["text", "formatCents", "Euro"];
  expect(neededNames({ ...cursor, identifiers }, facts)).toEqual(new Set(["formatCents"]));
});

test("what stands anywhere in the open file is seen", () => {
  const files = { "money.ts": "export function formatCents() {}\n" };
  const { cursor, facts } = situationAt(files, "invoice.ts", `formatCents();\n${"x();\n".repeat(2_000)}█`);
  expect(neededNames({ ...cursor, identifiers: ["formatCents"] }, facts)).toEqual(new Set());
});

test("coverage is the share of needed names in all snippets; of nothing needed there is none", () => {
  const needed = new Set(["formatCents", "Euro"]);
  expect(coverage([other], needed)).toBe(0.5);
  expect(coverage([], needed)).toBe(0);
  expect(coverage([other], new Set())).toBeNaN();
});

test("scores a ranking at each budget", () => {
  const wide = snippet("money.ts", 1, 9, "formatCents ".repeat(600));
  const cursor = { ...situationAt({}, "a.ts", "█▒").cursor, gold };
  expect(scoresOf(packedBy([wide, other]), cursor, new Set(["formatCents"]))).toEqual({
    recall: { 1: false, 5: false, 10: false },
    coverage: { 512: 1, 1024: 1, 2048: 1 },
    tokens: expect.any(Number),
  });
  expect(scoresOf(packedBy([]), cursor, new Set(["formatCents"]))).toEqual({
    recall: { 1: false, 5: false, 10: false },
    coverage: { 512: 0, 1024: 0, 2048: 0 },
    tokens: 0,
  });
});
