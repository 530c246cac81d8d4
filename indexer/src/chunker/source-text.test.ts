import fc from "fast-check";
import { expect, test } from "vitest";
import { readSource } from "./source-text.ts";

test("a range weighs as much as it has characters that are not blank", () => {
  const character = fc.constantFrom(
    "a",
    "é",
    "😀",
    " ",
    "\t",
    "\n",
    "\r",
    "\f",
    "\u00a0",
    "\u2003",
    "\ufeff",
    "\u0085",
  );
  const text = fc.array(character, { maxLength: 150 }).map((characters) => characters.join(""));
  fc.assert(
    fc.property(text, fc.nat(150), fc.nat(150), (source, a, b) => {
      const [start = 0, end = 0] = [a, b].map((at) => Math.min(at, source.length)).sort((x, y) => x - y);
      expect(readSource(source).weight(start, end)).toBe(source.slice(start, end).replace(/\s/g, "").length);
    }),
  );
  // Where one block of the count ends and the next begins.
  for (const length of [31, 32, 33, 64])
    expect(readSource("x".repeat(length)).weight(0, length)).toBe(length);
});

test("an offset lies in the line that ends after its line feed", () => {
  const { lineAt, lineStart } = readSource("a\r\nb\rc\n");
  expect([0, 2, 3, 6, 7].map((at) => [lineAt(at), lineStart(at)])).toEqual([
    [1, 0],
    [1, 0],
    [2, 3],
    [2, 3],
    [3, 7],
  ]);
});
