import { expect, test } from "vitest";
import { othersOf, samplingOf, unlessRepeated } from "./alternative.ts";

test.each([
  ["the usual answer", undefined, undefined],
  ["the usual answer by its number", 0, undefined],
  ["the first alternative", 1, { temperature: 0.7, seed: 1 }],
  ["the second one", 2, { temperature: 0.8, seed: 2 }],
])("%s is drawn in its own way", (_, alternative, expected) => {
  expect(samplingOf(alternative === undefined ? {} : { alternative })).toEqual(expected);
});

test("an alternative has to differ from all before it", () => {
  expect(othersOf({})).toEqual([]);
  expect(othersOf({ alternative: 2 })).toEqual([{ alternative: 0 }, { alternative: 1 }]);
});

test("what is shown as another text is, is no alternative", () => {
  const judge = (text: string) => ({ text: text.trimEnd(), reason: "ok" as const });
  const shown = judge("sum(a)");
  expect(unlessRepeated(shown, ["max(a)", "sum(a)\n"], judge)).toEqual({ text: "", reason: "repeats-usual" });
  expect(unlessRepeated(shown, ["sum(b)"], judge)).toBe(shown);
});

test("nothing keeps its own reason", () => {
  const blank = { text: "", reason: "blank" } as const;
  expect(unlessRepeated(blank, [""], () => blank)).toBe(blank);
});
