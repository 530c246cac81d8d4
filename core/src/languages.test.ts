import { expect, test } from "vitest";
import { languageOf } from "./languages.ts";

test.each([
  ["src/a.py", "python", "python"],
  ["a.tsx", "typescriptreact", "tsx"],
  ["a.d.mts", "typescript", "typescript"],
  ["A.JAVA", "java", "java"],
  ["docker/Dockerfile.dev", "dockerfile", undefined],
  ["Makefile", "makefile", undefined],
  ["a.ipynb", "jupyter-notebook", undefined],
  [".py", "plaintext", undefined],
  ["LICENSE", "plaintext", undefined],
  ["constructor", "plaintext", undefined],
  ["src/__proto__", "plaintext", undefined],
  ["a.constructor", "plaintext", undefined],
])("%s is %s, read by grammar %s", (path, id, grammar) => {
  const language = languageOf(path);
  expect([language.id, language.grammar]).toEqual([id, grammar]);
});
