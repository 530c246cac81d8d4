import type { LegName } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import { fused, gain, type LearningCase, searchWeights } from "./learn.ts";
import { situationAt } from "./testing/situation.ts";

const { cursor } = situationAt({}, "a.ts", "█▒");
const snippet = (path: string, text = "x") => ({ path, startLine: 1, endLine: 3, text });
const gold = [
  {
    name: "total",
    kind: "function",
    container: null,
    path: "gold.ts",
    startLine: 1,
    endLine: 3,
    nameLine: 1,
  },
];
const noise = Array.from({ length: 5 }, (_, i) => snippet(`noise${i}.ts`));

function caseOf(found: Partial<Record<LegName, ReturnType<typeof snippet>[]>>): LearningCase {
  const entries = Object.entries(found) as [LegName, ReturnType<typeof snippet>[]][];
  return { cursor: { ...cursor, gold }, needed: new Set(["total"]), found: new Map(entries) };
}
const noisy = caseOf({
  lexical: noise,
  vector: noise,
  definitions: [snippet("gold.ts", "function total()")],
});

test("fusion adds up what each leg's ranks count, and caps a file", () => {
  const [a, b] = [snippet("a.ts"), snippet("b.ts")];
  const found = new Map<LegName, ReturnType<typeof snippet>[]>([
    ["lexical", [a, b]],
    ["vector", [b]],
  ]);
  expect(fused(found, {})).toEqual([b, a]);
  expect(fused(found, { vector: 0 })).toEqual([a, b]);
  expect(fused(found, { vector: 0, lexical: 0 })).toEqual([]);
  const ofOneFile = [1, 2, 3, 4].map((startLine) => ({ ...a, startLine }));
  expect(fused(new Map([["lexical", ofOneFile]]), {})).toEqual(ofOneFile.slice(0, 3));
});

test("gain is recall@5 plus coverage", () => {
  expect(gain([caseOf({ definitions: [snippet("gold.ts", "function total()")] })], {})).toBe(2);
  expect(gain([caseOf({ definitions: [snippet("other.ts", "total()")] })], {})).toBe(1);
  expect(gain([noisy], {})).toBe(1);
});

test("the search gives weight to the leg that finds what is needed", () => {
  const even = { definitions: 1, lexical: 1, vector: 1 };
  const best = searchWeights([noisy], even);
  expect(gain([noisy], best)).toBe(2);
  expect(best.definitions).toBeGreaterThan(Math.min(best.lexical ?? 1, best.vector ?? 1));
});
