import { expect, test } from "vitest";
import { explainWords } from "./explain-words.ts";

test.each([
  [
    { path: "a.py", indexed: true, chunks: 1, language: "python", detail: "up to date" },
    "a.py is in the index: 1 chunk, python.",
  ],
  [{ path: "a.py", indexed: true, chunks: 3_000, detail: "Done!" }, "a.py is in the index: 3,000 chunks."],
  [
    {
      path: "x/a.log",
      indexed: false,
      skipped: "ignored",
      detail: "*.log in .gitignore:3",
      hint: "git add -f",
    },
    "x/a.log is not in the index. *.log in .gitignore:3. git add -f.",
  ],
])("%j", (answer, words) => {
  expect(explainWords(answer)).toBe(words);
});
