import { expect, test } from "vitest";
import { isRight, shownAt } from "./guesser.ts";

test.each([
  ["total", "total(1)", true],
  ["tot", "total(1)", false],
  ["total(", "total(1)", true],
  ["totals", "total(1)", false],
])("%s of %s is right: %s", (text, rest, right) => {
  expect(isRight(text, rest)).toBe(right);
});

test("shows the tokens that are sure enough, and no less than three characters", () => {
  const guesses = [
    { added: "x.", confidence: 0.9 },
    { added: "name", confidence: 0.6 },
  ];
  const at = { indexedPath: "a.ts", prefix: "", suffix: "\n" };
  expect([0.5, 0.8].map((threshold) => shownAt(guesses, threshold, at))).toEqual(["x.name", ""]);
});
