import { expect, test } from "vitest";
import { rereadOf } from "./reread.ts";

const promptOf = ({ path = "a.ts", snippets = "b.ts\nb()\n", prefix = "const total = price;\n" } = {}) =>
  `<|repo_name|>shop\n<|file_sep|>${snippets}<|file_sep|>${path}\n<|fim_prefix|>${prefix}<|fim_suffix|>\n}<|fim_middle|>`;

test.each([
  ["one more character", { prefix: "const total = price;\nr" }, "typed"],
  ["the same once more", {}, "typed"],
  ["a deleted character", { prefix: "const total = price;" }, "other text"],
  ["another end", { prefix: "const total = price();\n" }, "other text"],
  ["a window that begins further down", { prefix: "total = price;\nreturn" }, "window"],
  ["another snippet", { snippets: "c.ts\nc()\n" }, "snippets"],
  ["another file", { path: "c.ts" }, "other file"],
])("%s", (_, now, expected) => {
  expect(rereadOf(promptOf(now), promptOf())).toBe(expected);
});

test("prompts of policies that name no file are of one", () => {
  const bare = (prefix: string) => `<|fim_prefix|>${prefix}<|fim_suffix|><|fim_middle|>`;
  expect(rereadOf(bare("ab"), bare("a"))).toBe("typed");
});
