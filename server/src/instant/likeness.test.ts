import { expect, test } from "vitest";
import { NamesAround, weightOfLikeness } from "./likeness.ts";
import { TokenStore } from "./token-store.ts";

function storeOf(ids: readonly number[]): TokenStore {
  const tokens = new TokenStore({ headBits: 4 });
  for (const id of ids) tokens.push(id, false);
  return tokens;
}

test("counts each of the names around once, as far as they stand shortly before a place", () => {
  const around = new NamesAround(100, [11, 12, 11, 13]);
  expect(around.countBefore(storeOf([11, 11, 12, 50, 13]), 4)).toBe(2);
  const farAway = [11, 12, ...Array.from({ length: 60 }, () => 50), 13];
  expect(around.countBefore(storeOf(farAway), farAway.length)).toBe(1);
});

test("counts 31 names at most, the nearest, and none that the vocabulary does not hold", () => {
  const names = Array.from({ length: 40 }, (_, i) => i);
  const around = new NamesAround(100, [-1, 1_000, ...names]);
  expect(around.countBefore(storeOf(names), names.length)).toBe(31);
  expect(around.countBefore(storeOf([39]), 1)).toBe(0);
});

test("tokens are the same at the same distance, whatever stands between", () => {
  expect(storeOf([1, 2, 3, 4, 5]).sameBefore(4, [2, 9, 4])).toBe(2);
  expect(storeOf([1]).sameBefore(0, [1])).toBe(0);
});

test("a place weighs more the more of it is the same", () => {
  expect(weightOfLikeness(4, 2)).toBeGreaterThan(weightOfLikeness(3, 2));
  expect(weightOfLikeness(4, 3)).toBeGreaterThan(weightOfLikeness(4, 2));
  expect(weightOfLikeness(32, 2)).toBe(weightOfLikeness(12, 2));
});
