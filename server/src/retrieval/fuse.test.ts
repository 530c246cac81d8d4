import type { LegName } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import type { Candidate } from "./chunk-rows.ts";
import { fuse } from "./fuse.ts";
import { LEG_WEIGHTS } from "./leg-weights.ts";

const chunk = (path: string, startLine = 1, text = `${path}:${startLine}`): Candidate => ({
  path,
  startLine,
  endLine: startLine + 4,
  language: "typescript",
  kind: "function",
  name: null,
  signature: null,
  text,
});
const ranked = (lists: Partial<Record<LegName, Candidate[]>>) =>
  new Map(Object.entries(lists) as [LegName, Candidate[]][]);
const shown = (lists: Partial<Record<LegName, Candidate[]>>, options = {}) =>
  fuse(ranked(lists), options).map((s) => `${s.path}:${s.startLine} ${s.legs.join("+")}`);

test("what two legs find comes before what one leg ranks first", () => {
  expect(shown({ lexical: [chunk("a"), chunk("both")], vector: [chunk("b"), chunk("both")] })).toEqual([
    "both:1 lexical+vector",
    "a:1 lexical",
    "b:1 vector",
  ]);
});

test("the score is the sum of weight / (60 + rank)", () => {
  const found = ranked({ lexical: [chunk("a")], vector: [chunk("x"), chunk("a")] });
  expect(fuse(found, { weights: {} })[0]?.score).toBeCloseTo(1 / 61 + 1 / 62);
  expect(fuse(found, { weights: { vector: 3 } })[0]?.score).toBeCloseTo(1 / 61 + 3 / 62);
  const { lexical, vector } = LEG_WEIGHTS;
  expect(fuse(found)[0]?.score, "by default").toBeCloseTo(lexical.rank / 61 + vector.rank / 62);
});

test("a snippet says at which place each leg has it", () => {
  const found = ranked({ lexical: [chunk("a")], vector: [chunk("x"), chunk("a")] });
  expect(fuse(found)[0]).toMatchObject({
    path: "a",
    ranks: new Map(Object.entries({ lexical: 0, vector: 1 })),
  });
});

test("a leg that finds a chunk twice counts once", () => {
  expect(shown({ definitions: [chunk("a"), chunk("a")] })).toEqual(["a:1 definitions"]);
});

test("one file gives at most twelve snippets", () => {
  const lines = Array.from({ length: 15 }, (_, i) => 1 + i * 10);
  expect(shown({ lexical: lines.map((line) => chunk("a", line)).concat(chunk("b")) })).toEqual([
    ...lines.slice(0, 12).map((line) => `a:${line} lexical`),
    "b:1 lexical",
  ]);
});

test("of two chunks with common lines the better stays, and both finds speak for it", () => {
  const wide = { ...chunk("a", 1), endLine: 30 };
  const inside = { ...chunk("a", 20), signature: "inner()" };
  const found = fuse(ranked({ lexical: [chunk("b"), wide], similar: [inside] }), { weights: {} });
  expect(found.map(({ path, startLine, legs, signature }) => ({ path, startLine, legs, signature }))).toEqual(
    [
      { path: "a", startLine: 20, legs: ["similar", "lexical"], signature: "inner()" },
      { path: "b", startLine: 1, legs: ["lexical"], signature: null },
    ],
  );
});

test("chunks that meet in a line are two", () => {
  expect(shown({ lexical: [chunk("a", 1), chunk("a", 5)] })).toEqual(["a:1 lexical", "a:5 lexical"]);
});

test("a copy with a line changed is shown once, whatever file it is in", () => {
  const lines = Array.from({ length: 20 }, (_, i) => `step${i}();`);
  const copy = lines.with(7, "patched();").map((line) => `    ${line}`);
  const other = lines.map((line, i) => (i % 2 ? line : `other${i}();`));
  expect(
    shown({
      lexical: [
        chunk("lib/run.ts", 1, lines.join("\n")),
        chunk("vendor/run.ts", 9, copy.join("\n")),
        chunk("lib/other.ts", 1, other.join("\n")),
      ],
    }),
  ).toEqual(["lib/run.ts:1 lexical", "lib/other.ts:1 lexical"]);
});

test("all signatures that a chunk was found by are kept", () => {
  const one = { ...chunk("a"), signature: "one()" };
  expect(fuse(ranked({ definitions: [one, { ...one, signature: "two()" }] }))[0]?.signature).toBe(
    "one()\ntwo()",
  );
});

test("a chunk most of whose lines are visible is left out, whatever file it is in", () => {
  const copy = chunk("copy.ts", 1, "one();\n  two();\nthree();");
  expect(shown({ lexical: [copy] }, { visible: new Set(["one();", "two();"]) })).toEqual([]);
  expect(shown({ lexical: [copy] }, { visible: new Set(["one();"]) })).toEqual(["copy.ts:1 lexical"]);
});

test("the same text in two files is shown once, blank text never", () => {
  expect(shown({ lexical: [chunk("a", 1, "x();"), chunk("b", 1, "x();\n"), chunk("c", 1, " \n")] })).toEqual([
    "a:1 lexical",
  ]);
});
