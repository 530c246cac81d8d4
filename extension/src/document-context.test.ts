import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { documentContext } from "./document-context.ts";
import { textDocument } from "./testing/text-document.ts";

function contextOf(source: string) {
  const { prefix, suffix } = atCursor(source);
  return documentContext(textDocument(prefix + suffix), prefix.length);
}

test("is the text before and after the cursor, with the document's language and version", () => {
  expect(contextOf("a = 1\nb = █\nc = 3\n")).toEqual({
    languageId: "python",
    documentVersion: 1,
    prefix: "a = 1\nb = ",
    suffix: "\nc = 3\n",
  });
});

test("has the selected suggestion in place of what it replaces", () => {
  const document = textDocument("shop.to\n");
  expect(documentContext(document, { start: 5, end: 7, text: "total" })).toMatchObject({
    prefix: "shop.total",
    suffix: "\n",
  });
});

test.each([
  ["Windows line ends", "a\r\nb█\r\nc", "a\nb", "\nc"],
  ["a NUL byte", "a\0b█\0", "a\uFFFDb", "\uFFFD"],
  ["half of a surrogate pair", "a\uD83Db█\uDE00", "a\uFFFDb", "\uFFFD"],
])("%s becomes what the wire takes", (_, source, prefix, suffix) => {
  expect(contextOf(source)).toMatchObject({ prefix, suffix });
});

const line = `${"x".repeat(79)}\n`;

test("reads a window of a huge document, and starts it at a line", () => {
  const document = textDocument(line.repeat(20_000));
  const { prefix, suffix } = documentContext(document, 80 * 10_000);
  expect(prefix.length).toBeGreaterThan(20_000 - 80);
  expect(prefix.length).toBeLessThanOrEqual(24_096);
  expect(prefix.length % 80).toBe(0);
  expect(suffix.length).toBe(5_000);
  expect(document.charsRead()).toBeLessThan(30_000);
});

test("keeps the head of its prefix while one types a few lines", () => {
  const before = line.repeat(1_000);
  const heads = Array.from({ length: 20 }, (_, lines) => {
    const text = before + line.repeat(lines);
    return documentContext(textDocument(text), text.length).prefix;
  });
  const starts = new Set(heads.map((prefix, lines) => 80 * (1_000 + lines) - prefix.length));
  expect(starts.size).toBeLessThanOrEqual(2);
});

test("keeps a single line that is longer than the window", () => {
  const text = "x".repeat(100_000);
  expect(documentContext(textDocument(text), text.length).prefix.length).toBeGreaterThan(20_000 - 1);
});
