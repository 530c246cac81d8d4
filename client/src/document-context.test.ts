import { atCursor } from "@dhi/core/testing/at-cursor";
import { describe, expect, test } from "vitest";
import { documentContext, nearContext } from "./document-context.ts";
import { below } from "./line-document.ts";
import { endOf, lineDocument } from "./testing/line-document.ts";

function contextOf(source: string) {
  const { prefix, suffix } = atCursor(source);
  return documentContext(lineDocument(prefix + suffix), endOf(prefix));
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
  const document = lineDocument("shop.to\n");
  const at = { start: { line: 0, character: 5 }, end: { line: 0, character: 7 }, text: "total" };
  expect(documentContext(document, at)).toMatchObject({ prefix: "shop.total", suffix: "\n" });
});

test.each([
  ["Windows line ends", "a\r\nb█\r\nc", "a\nb", "\nc"],
  ["a NUL byte", "a\0b█\0", "a\uFFFDb", "\uFFFD"],
  ["half of a surrogate pair", "a\uD83Db█\uDE00", "a\uFFFDb", "\uFFFD"],
])("%s becomes what the wire takes", (_, source, prefix, suffix) => {
  expect(contextOf(source)).toMatchObject({ prefix, suffix });
});

const line = `${"x".repeat(79)}\n`;

test("reads some hundred lines of a huge document, and starts at one of them", () => {
  const document = lineDocument(line.repeat(20_000));
  const { prefix, suffix } = documentContext(document, { line: 10_010, character: 40 });
  expect(prefix.startsWith(line)).toBe(true);
  expect(prefix.length).toBeGreaterThan(20_000);
  expect(prefix.length).toBeLessThan(20_000 + 80 * 64);
  expect([suffix.length, suffix.endsWith("x")]).toEqual([39 + 63 * 80, true]);
  expect(document.linesRead()).toBeLessThan(400);
});

test("keeps the head of its prefix while one types, and moves it once in 64 lines", () => {
  const starts = Array.from({ length: 64 }, (_, lines) => {
    const at = { line: 1_000 + lines, character: 79 };
    return (
      documentContext(lineDocument(line.repeat(2_000)), at).prefix.length - documentLength(1_000 + lines)
    );
  });
  expect(new Set(starts).size).toBe(2);
});

const documentLength = (lines: number) => lines * 80 + 79;

describe("of long lines", () => {
  test("one that is longer than a prefix is cut, in hops", () => {
    const document = lineDocument(`${line}${"y".repeat(100_000)}`);
    const lengths = [60_000, 60_001, 64_000].map(
      (character) => documentContext(document, { line: 1, character }).prefix.length,
    );
    expect(lengths).toEqual([20_000, 20_001, 24_000]);
  });

  test("one above the cursor stays out", () => {
    const document = lineDocument(`${"y".repeat(1_000_000)}\na = `);
    expect(documentContext(document, { line: 1, character: 4 }).prefix).toBe("a = ");
  });

  test("one behind the cursor is cut", () => {
    const document = lineDocument(`a\n${"y".repeat(1_000_000)}`);
    expect(documentContext(document, { line: 0, character: 1 }).suffix.length).toBe(10_001);
  });
});

test("a notebook's cells above the cursor stand before it", () => {
  const cells = [lineDocument("import shop"), lineDocument("a = 1\nb = 2")];
  const { document, shift } = below(cells, lineDocument("shop.\nend", { version: 7 }));
  expect(documentContext(document, { line: shift, character: 5 })).toEqual({
    languageId: "python",
    documentVersion: 7,
    prefix: "import shop\na = 1\nb = 2\nshop.",
    suffix: "\nend",
  });
});

test("what is near is the end of what is sent and the beginning of what follows, as they stand in the document", () => {
  const document = lineDocument(line.repeat(20_000).replaceAll("xx", "x\0"));
  const at = { line: 10_010, character: 40 };
  const { prefix, suffix } = nearContext(document, at);
  const sent = documentContext(document, at);
  expect(sent.prefix.endsWith(prefix.replaceAll("\0", "\uFFFD"))).toBe(true);
  expect(sent.suffix.startsWith(suffix.replaceAll("\0", "\uFFFD"))).toBe(true);
  expect([prefix.length, suffix.length]).toEqual([40 + 26 * 80, 39 + 6 * 80]);
});
