import { expect, test } from "vitest";
import { closeness, f1, similarity } from "./completion-metrics.ts";

test.each([
  ["kitten", "sitting", 2 * (4 / 13)],
  ["abc", "abc", 1],
  ["abc", "xyz", 0],
  ["", "abc", 0],
  ["", "", 1],
  ["ab", "ba", 0.5],
])("%j and %j are %d similar", (a, b, expected) => {
  expect(similarity(a, b)).toBeCloseTo(expected, 12);
  expect(similarity(b, a)).toBeCloseTo(expected, 12);
});

test.each([
  [["a", "b"], ["b", "c"], 0.5],
  [["a"], ["a", "b", "c"], 0.5],
  [["a"], [], 0],
  [[], [], Number.NaN],
])("F1 of %j and %j is %d", (a, b, expected) => {
  expect(f1(new Set(a), new Set(b))).toBe(expected);
});

const at = (prefix: string, continuation: string) => ({ prefix, continuation, language: "typescript" });

test("the same line is an exact match, whatever white space is around it", () => {
  expect(closeness("sumOf(items) ", at("return ", "sumOf(items)"))).toEqual({
    ...{ exact: true, similarity: 1, identifierF1: 1, isBeginning: true },
  });
});

test("what goes on after the real code is cut off", () => {
  const { exact, similarity, isBeginning } = closeness("one()\n\ntwo()\nthree()", at("", "one()\n  two()"));
  expect({ exact, similarity, isBeginning }).toEqual({ exact: true, similarity: 1, isBeginning: false });
});

test("what ends too early is no match, but right as far as it goes", () => {
  const result = closeness("firstCall()", at("", "firstCall()\nsecondCall()"));
  expect(result).toEqual({
    ...{ exact: false, isBeginning: true },
    similarity: (2 * 11) / (11 + 24),
    identifierF1: (2 * 1) / (1 + 2),
  });
});

test("an identifier that the cursor stands in counts as a whole", () => {
  const cursor = at("const user = getUs", "er(request)");
  expect(closeness("er(response)", cursor).identifierF1).toBe(0.5);
  expect(closeness("age(request)", cursor).identifierF1).toBe(0.5);
});

test("an empty completion has nothing in common with anything", () => {
  expect(closeness("", at("getUs", "er()"))).toEqual({
    ...{ exact: false, similarity: 0, identifierF1: 0, isBeginning: false },
  });
});

test("words in strings and comments are no identifiers", () => {
  const result = closeness('log("total") // sum', at("", 'log("amount") // x'));
  expect(result.identifierF1).toBe(1);
});
