import { expect, test } from "vitest";
import { begunWord, promptBefore } from "./heal.ts";

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
