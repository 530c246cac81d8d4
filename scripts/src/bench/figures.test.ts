import { expect, test } from "vitest";
import { difference, percentile, sum } from "./figures.ts";

test.each([
  ["the middle of an odd number", [3, 1, 2], 50, 2],
  ["p95 of a hundred is the 95th", Array.from({ length: 100 }, (_, i) => i + 1), 95, 95],
  ["p95 of few is the largest", [1, 9, 5], 95, 9],
  ["p0 is the smallest", [4, 2], 0, 2],
  ["nothing has no percentile", [], 50, Number.NaN],
])("%s", (_, values, p, expected) => {
  expect(percentile(values, p)).toBe(expected);
});

test("a difference leaves out what did not change and knows what is new", () => {
  expect(difference({ add: 3, count: 5, get: 1 }, { add: 1, count: 5 })).toEqual({ add: 2, get: 1 });
});

test("a sum of nothing is 0", () => {
  expect([sum([]), sum([1, 2.5])]).toEqual([0, 3.5]);
});
