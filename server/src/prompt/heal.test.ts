import { expect, test } from "vitest";
import { formatById } from "./fim-format.ts";
import { begunWord, builtBefore, promptBefore, wordToWrite } from "./heal.ts";

test.each([
  ["a word, with the blank before it", "const a = us", " us"],
  ["a word after a dot", "self.na", "na"],
  ["a word at a line's start", "a;\nret", "ret"],
  ["one blank of an indent", "{\n    ret", " ret"],
  ["the first word of a file", "imp", "imp"],
  ["letters of any script, and of names", "x = größe_2$", " größe_2$"],
  ["nothing behind a bracket", "f(", ""],
  ["nothing behind a blank", "const a = ", ""],
  ["nothing of a number", "x = 0xFF", ""],
  ["nothing of data", `x = "${"a".repeat(65)}`, ""],
  ["nothing in an empty file", "", ""],
])("a begun word is %s", (_, prefix, word) => {
  expect(begunWord(prefix)).toBe(word);
});

test("the prompt ends its prefix before the word, wherever the suffix stands", () => {
  const part = (kind: "prefix" | "suffix", startOffset: number, endOffset: number) => ({
    ...{ kind, startOffset, endOffset, tokens: 1 },
  });
  const prefixFirst = { prompt: "<P>a = us<S>;<M>", parts: [part("prefix", 3, 9), part("suffix", 12, 13)] };
  expect(promptBefore(prefixFirst, 3)).toBe("<P>a =<S>;<M>");
  const suffixFirst = { prompt: "<S>;<P>a = us<M>", parts: [part("suffix", 3, 4), part("prefix", 7, 13)] };
  expect(promptBefore(suffixFirst, 3)).toBe("<S>;<P>a =<M>");
});

test("parts and tokens are those of the prompt that ends before the word", () => {
  const part = (kind: "prefix" | "suffix", startOffset: number, endOffset: number, tokens: number) => ({
    ...{ kind, startOffset, endOffset, tokens },
  });
  const built = { prompt: "<P>a = us<S>;<M>", parts: [part("prefix", 3, 9, 5), part("suffix", 12, 13, 2)] };
  const { parts, prompt, tokens } = builtBefore(built, 3, formatById("qwen")!);
  expect(prompt).toBe("<P>a =<S>;<M>");
  expect(parts).toEqual([part("prefix", 3, 6, 3), part("suffix", 9, 10, 2)]);
  expect(tokens).toBe(5);
});

test.each([
  ["an engine that obeys a grammar", { readsPrompt: true, obeysGrammar: true }, {}, " us"],
  ["a model trained on gaps between tokens", { readsPrompt: true }, { gapsBetweenTokens: true }, " us"],
  ["a model trained on gaps between characters", { readsPrompt: true }, {}, ""],
  ["the tier without a model", { readsPrompt: false, obeysGrammar: true }, { gapsBetweenTokens: true }, ""],
] as const)("%s writes of a begun word %j", (_, engine, format, word) => {
  expect(wordToWrite("const a = us", engine, format)).toBe(word);
});
