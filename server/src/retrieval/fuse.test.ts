import type { LegName } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import type { Candidate } from "./chunk-rows.ts";
import { fuse } from "./fuse.ts";

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

test("the score is the sum of 1 / (60 + rank)", () => {
  expect(fuse(ranked({ lexical: [chunk("a")], vector: [chunk("x"), chunk("a")] }), {})[0]?.score).toBeCloseTo(
    1 / 61 + 1 / 62,
  );
});

test("a leg that finds a chunk twice counts once", () => {
  expect(shown({ definitions: [chunk("a"), chunk("a")] })).toEqual(["a:1 definitions"]);
});

test("one file gives at most three snippets", () => {
  expect(shown({ lexical: [1, 10, 20, 30, 40].map((l) => chunk("a", l)).concat(chunk("b")) })).toEqual([
    "a:1 lexical",
    "a:10 lexical",
    "a:20 lexical",
    "b:1 lexical",
  ]);
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
