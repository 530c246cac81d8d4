import { expect, test } from "vitest";
import { keptOf } from "./edit-distance.ts";

test.each([
  ["all of it", "total(a)", "total(a)", 1],
  ["all of it, formatted", "if x:\n  a()", "if x:\n\n\ta()\n", 1],
  ["one of eight changed", "total(a)", "total(b)", 7 / 8],
  ["half deleted", "abcd", "ab", 1 / 2],
  ["nothing", "abcd", "", 0],
  ["another text, which may be longer", "abcd", "wxyz and more", 0],
  ["no text at all", " ", "x", 1],
])("%s", (_, text, now, expected) => {
  expect(keptOf(text, now)).toBe(expected);
});

test("long texts are compared by their beginning", () => {
  const text = "x".repeat(1_000_000);
  expect(keptOf(text, `${"x".repeat(2_000)}y`)).toBe(1);
});
