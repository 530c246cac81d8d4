import { expect, test } from "vitest";
import { cutBrokenCharacters } from "./cut-broken-characters.ts";

const run = (text: string, prefix = "") =>
  cutBrokenCharacters(text, { request: { prefix, suffix: "" }, stop: [] });

test.each([
  ["half of a surrogate pair at the end", "a\ud83d", "a"],
  ["one in the middle", "a\ude00b", "a"],
  ["NUL", "a\0b", "a"],
  ["an escape sequence", "a\x1b[31mb", "a"],
  ["a character that was not finished", "a\ufffd\ufffd", "a"],
  ["what no completion is long enough for", "x".repeat(100_000), "x".repeat(16_384)],
])("cuts before %s", (_, text, expected) => {
  expect(run(text)).toBe(expected);
});

test.each(["👩‍👩‍👧‍👦", "é\u0301", "a\tb\r\nc\fd", ""])("keeps %j", (text) => {
  expect(run(text)).toBe(text);
});

test("a replacement character that the file has is the user's", () => {
  expect(run('"\ufffd"', 'const UNKNOWN = "\ufffd";\n')).toBe('"\ufffd"');
});
