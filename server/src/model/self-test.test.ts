import { describe, expect, test } from "vitest";
import type { Engine } from "../engines/engine.ts";
import { formatById } from "../prompt/fim-format.ts";
import { selfTest } from "./self-test.ts";

const live = () => new AbortController().signal;

/** @param promptTokens of the prompt that is nothing but sentinels */
function fakeEngine(text: string, promptTokens: number | null = 3) {
  const prompts: string[] = [];
  const engine: Engine = {
    ...{ name: "ollama", model: "fake", readsPrompt: true },
    async generate({ prompt }, { maxTokens }) {
      prompts.push(prompt);
      const usage = { promptTokens, cachedTokens: null, completionTokens: maxTokens };
      return { text, finish: "stop", usage, meanLogprob: null, confidence: null, firstTokenMs: 1 };
    },
    health: async () => ({ status: "ok", detail: "" }),
    warmUp: async () => {},
  };
  return { engine, prompts };
}

const findingOf = async (text: string, promptTokens?: number | null, id = "qwen") =>
  (await selfTest(fakeEngine(text, promptTokens).engine, formatById(id)!, live())).finding;

test("asks for the sentinels alone, then for a completion, in the family's format", async () => {
  const { engine, prompts } = fakeEngine("+ b");
  await selfTest(engine, formatById("codegeex4")!, live());
  const [block, after] = ["<|code_middle|><|assistant|>\n", "\n\n\nprint(add(1, 2))\n"];
  expect(prompts).toEqual([
    `<|user|>\n<|code_suffix|><|code_prefix|>${block}`,
    `<|user|>\n<|code_suffix|>${after}<|code_prefix|>def add(a, b):\n    return a ${block}`,
  ]);
});

test("tells what was written, if it was asked for", async () => {
  const result = (promptTokens: number) =>
    selfTest(fakeEngine("+ b", promptTokens).engine, formatById("qwen")!, live());
  expect(await result(3)).toEqual({ finding: undefined, wrote: "+ b" });
  expect(await result(22)).not.toHaveProperty("wrote");
});

describe("finds nothing wrong with", () => {
  test.each([
    ["a good completion", "+ b"],
    ["one that ends with a sentinel, which is cut off", "+ b<|fim_pad|>"],
    ["no text at all", ""],
    ["noise", "RequestRequestRequest 사항사항 CGPointMake\n\n`"],
    ["a comment in prose", "+ b  # Here is the sum\n# This function adds"],
    ["a word that also begins sentences", "Surely + b"],
  ])("%s", async (_, text) => {
    expect(await findingOf(text)).toBeUndefined();
  });

  test.each<[string, string, number | null]>([
    ["a token that opens the text", "qwen", 4],
    ["blanks that belong to the sentinels", "codellama", 6],
    ["an engine that does not count", "qwen", null],
  ])("%s", async (_, id, promptTokens) => {
    expect(await findingOf("+ b", promptTokens, id)).toBeUndefined();
  });
});

describe("finds", () => {
  test.each([
    ["a chat by its fence", "```python\ndef add", 'it chats instead of filling in: "```python\\ndef add"'],
    ["a chat by its words", "Sure! Here is", 'it chats instead of filling in: "Sure! Here is"'],
    ["a chat that explains", "The provided code defines", /^it chats instead of filling in: /],
    [
      "a special token where the text should be",
      "<|im_start|>assistant",
      /^it answers with <\|im_start\|>: /,
    ],
  ])("%s", async (_, text, words) => {
    expect(await findingOf(text)).toMatch(words);
  });

  test("sentinels that are read as text", async () => {
    expect(await findingOf("+ b", 22)).toBe("it reads <|fim_prefix|> as text (22 tokens for 3 sentinels)");
  });
});
