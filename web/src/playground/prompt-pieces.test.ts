import { expect, test } from "vitest";
import { promptPieces, tokensByKind } from "./prompt-pieces.ts";

const prompt = "<repo>shop\nlet a;<fim>";
const part = (
  kind: "sentinel" | "repo" | "prefix",
  startOffset: number,
  endOffset: number,
  tokens: number,
) => ({
  ...{ kind, startOffset, endOffset, tokens },
});

test("a prompt is cut into its parts, and what stands between them is a piece of its own", () => {
  const parts = [
    part("prefix", 11, 17, 2),
    part("sentinel", 0, 6, 1),
    part("repo", 6, 10, 1),
    part("sentinel", 17, 22, 1),
  ];
  const pieces = promptPieces({ prompt, parts });
  expect(pieces.map(({ kind, text }) => [kind, text])).toEqual([
    ["sentinel", "<repo>"],
    ["repo", "shop"],
    ["other", "\n"],
    ["prefix", "let a;"],
    ["sentinel", "<fim>"],
  ]);
  expect(pieces.map(({ text }) => text).join("")).toBe(prompt);
  expect(tokensByKind(pieces)).toEqual([
    { kind: "sentinel", tokens: 2 },
    { kind: "repo", tokens: 1 },
    { kind: "prefix", tokens: 2 },
  ]);
});

test("a prompt without parts is one piece, and an empty one is none", () => {
  expect(promptPieces({ prompt: "x", parts: [] })).toEqual([
    { kind: "other", path: undefined, tokens: 0, text: "x" },
  ]);
  expect(promptPieces({ prompt: "", parts: [] })).toEqual([]);
});
