import { expect, test } from "vitest";
import { formatById, leaksOf } from "../prompt/fim-format.ts";
import { stripSentinels } from "./strip-sentinels.ts";

const request = { prefix: "", suffix: "" };
const qwen = leaksOf(formatById("qwen")!);

test.each([
  ["a stop and all after it goes", "a + b<|endoftext|>junk", qwen, "a + b"],
  ["the first of several counts", "a<|file_sep|>b.py\n<|fim_prefix|>c<|endoftext|>", qwen, "a"],
  ["a text stop counts too", "x\n+++++ b.py\n", leaksOf(formatById("codestral")!), "x"],
  ["a sentinel of another family is code", "print('<PRE>')", qwen, "print('<PRE>')"],
  ["but not one between pipes", "a<|assistant|>b", [], "a"],
  ["a token that was cut off goes", "a + b<|fim_mid", [], "a + b"],
  ["so does what the user's own became in the prompt", "a＜|fim_prefix|>b", [], "a"],
  ["bars in code stay", "a <b|c> d || <|>", [], "a <b|c> d || <|>"],
])("%s", (_, text, stop, expected) => {
  expect(stripSentinels(text, { request, stop })).toBe(expected);
});

test("a token that the user's code names stays", () => {
  const own = { prefix: 'const END = "<|im_end|>";\n', suffix: "" };
  expect(stripSentinels('x("<|im_end|>")', { request: own, stop: [] })).toBe('x("<|im_end|>")');
});
