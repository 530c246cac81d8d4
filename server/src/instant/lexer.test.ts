import fc from "fast-check";
import { expect, test } from "vitest";
import { lex, unlex } from "./lexer.ts";

function tokensOf(text: string, indent?: string): [string, boolean][] {
  const tokens: [string, boolean][] = [];
  lex(text, (token, spaced) => tokens.push([token, spaced]), indent);
  return tokens;
}
const texts = (text: string, indent?: string) => tokensOf(text, indent).map(([token]) => token);

test("loses nothing, whatever the text and the indent it starts in", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      " ",
      "  ",
      "\t",
      "\n",
      "\r\n",
      "\n    ",
      "\n\t",
      "foo",
      "=>",
      "1.5",
      "é",
      "😀",
      "\ud83d",
      "=== ",
    ),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom("", "  ", "\t"), (pieces, indent) => {
      const text = pieces.join("");
      expect(unlex(tokensOf(text, indent), indent)).toBe(text);
    }),
  );
});

test("splits words, numbers and operators, and keeps one space as a flag", () => {
  expect(tokensOf("a_1 = b?.c(1.5e3)")).toEqual([
    ["a_1", false],
    ["=", true],
    ["b", true],
    ["?.", false],
    ["c", false],
    ["(", false],
    ["1.5e3", false],
    [")", false],
  ]);
});

test("reads a range of numbers as such", () => {
  expect(texts("0..n")).toEqual(["0", ".", ".", "n"]);
});

test("reads a line break the same at every depth", () => {
  const shallow = texts("if x:\n  y\nz");
  expect(shallow).toEqual(["if", "x", ":", "\n+  ", "y", "\n-2", "z"]);
  expect(texts("if x:\n      y\n    z", "    ")).toEqual(shallow);
});

test("splits a word that never ends", () => {
  expect(texts("a".repeat(600)).map((t) => t.length)).toEqual([256, 256, 88]);
});
