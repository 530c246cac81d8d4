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
  ["no stops, no cut", "<|endoftext|>", [], "<|endoftext|>"],
])("%s", (_, text, stop, expected) => {
  expect(stripSentinels(text, { request, stop })).toBe(expected);
});
