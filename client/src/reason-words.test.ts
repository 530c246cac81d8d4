import { degradeStep, dropReason } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import { allWords, reasonWords, stepWords } from "./reason-words.ts";

test("every reason to drop a text has words of its own", () => {
  const words = dropReason.options.map(reasonWords);
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter((word) => !allWords.includes(word))).toEqual([]);
});

test("every step that spares an engine has words of its own", () => {
  const words = degradeStep.options.map(stepWords);
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter((word) => !allWords.includes(word))).toEqual([]);
});

test("what a newer server says is still read", () => {
  expect([reasonWords("brand-new_reason"), stepWords("half-speed")]).toEqual([
    "brand new reason",
    "half speed",
  ]);
});
