import { expect, test } from "vitest";
import { formatById } from "./fim-format.ts";
import { neutralise } from "./neutralise.ts";

test.each([
  [
    "qwen",
    'const PRE = "<|fim_prefix|>"; // <|endoftext|>',
    'const PRE = "＜|fim_prefix|>"; // ＜|endoftext|>',
  ],
  ["codestral", "[PREFIX][SUFFIX]</s>", "［PREFIX]［SUFFIX]＜/s>"],
  ["codellama", "<PRE> <<SUF>", "＜PRE> <＜SUF>"],
  ["deepseek", "<｜fim▁hole｜>", "＜｜fim▁hole｜>"],
])("%s: a token in user code loses its meaning and keeps its length", (id, text, expected) => {
  const neutral = neutralise(text, formatById(id)!);
  expect(neutral).toBe(expected);
  expect(neutral).toHaveLength(text.length);
});

test("another family's tokens and plain code stay as they are", () => {
  const text = "if (a < b) return <s>[x]</s>; // <fim_prefix> <PRE> [PREFIX]";
  expect(neutralise(text, formatById("qwen")!)).toBe(text);
});
