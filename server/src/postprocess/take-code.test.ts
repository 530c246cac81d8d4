import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { takeCode } from "./take-code.ts";

const run = (source: string, text: string, languageId = "typescript") =>
  takeCode(text, { request: { ...atCursor(source), languageId }, stop: [] });

test.each([
  ["a fence", "█", "```ts\na();\nb();\n```\nThis calls both.", "a();\nb();"],
  ["a fence that was not closed", "█", "```\na();", "a();"],
  ["talk before it", "█", "Sure, here is the code:\n\n```ts\na();\n```", "a();"],
  ["what the line begins with", "  return █", "```ts\n  return a + b;\n```", "a + b;"],
  ["a fence, though it begins with the bracket that is there", "  }█", "```ts\n} else {\n```", "} else {"],
  ["the code before a fence", "█", "a();\n```\nThis calls a.", "a();"],
  ["fences with CRLF", "█", "```ts\r\na();\r\n```\r\n", "a();"],
  ["a fence in a comment of one line", "// say █", "hello\n```\nThis says hello.", "hello"],
])("takes the code out of %s", (_, source, text, expected) => {
  expect(run(source, text)).toBe(expected);
});

test.each([
  "Here is the completed code for you:",
  "I'm sorry, but I cannot see the file.",
  "Sure! Here's what I would write:\nfoo()",
  "As an AI language model I do not",
  "```ts\n```",
])("%j is dropped", (text) => {
  expect(run("█", text)).toEqual({ drop: "prose" });
});

test.each([
  ["code that begins as talk does", "█", "sure = here(the);"],
  ["talk in a comment", "// █", "Here is the list of users."],
  ["a fence in a block comment", "/**\n * █", "Example:\n```ts\na();\n```"],
  ["a message", 'log("█")', "Here is the result"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});

test("in Markdown people write fences and sentences", () => {
  const text = "Here is the code:\n\n```ts\na();\n```";
  expect(run("█", text, "markdown")).toBe(text);
});
