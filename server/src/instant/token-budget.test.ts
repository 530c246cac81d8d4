import { expect, test } from "vitest";
import { createTokenBudget } from "./token-budget.ts";

test.each<[string, number[], number[]]>([
  ["one alone has all of it", [5_000], [1_000]],
  ["two large ones have half each", [5_000, 700], [500, 500]],
  ["what a small one leaves is the large one's", [100, 5_000], [900, 900]],
  ["what two small ones leave is the large one's", [100, 5_000, 200], [700, 700, 700]],
  ["nobody is held back while all fit", [100, 200], [1_000, 1_000]],
])("%s", (_, wants, expected) => {
  const share = createTokenBudget(1_000);
  const shares = wants.map(share);
  for (const [i, wanted] of wants.entries()) shares[i]?.(wanted);
  expect(wants.map((wanted, i) => shares[i]?.(wanted))).toEqual(expected);
});

test("whoever has not asked yet keeps an equal part", () => {
  const share = createTokenBudget(1_000);
  const [first, second] = [share(), share()];
  expect(first(5_000)).toBe(500);
  expect(second(50)).toBe(1_000 - 50);
  expect(first(5_000)).toBe(950);
});
