import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { mayBeSeveralLines } from "./several-lines.ts";

test.each([
  ["behind an opening brace", "function f() {█\n}", true],
  ["behind Python's colon", "def f(a):█", true],
  ["behind an arrow", "const f = () =>█", true],
  ["on the first empty line of a body", "function f() {\n  █\n}", true],
  ["on a later empty line of a body", "def f():\n    a = 1\n    █", true],
  ["in the middle of a statement", "const a = f(b).█", false],
  ["at the end of a statement", "return a;█", false],
  ["on an empty line between definitions", "import a\n\n█\n", false],
  ["on an empty line behind a block that is done", "  if (a) {\n  }\n  █", false],
  ["with code right of the cursor", "call(█, b) {", false],
])("%s", (_, source, expected) => {
  expect(mayBeSeveralLines(atCursor(source))).toBe(expected);
});

test("asked for by hand, anywhere but left of code", () => {
  expect(mayBeSeveralLines({ ...atCursor("return a;█"), trigger: "manual" })).toBe(true);
  expect(mayBeSeveralLines({ ...atCursor("return █a;"), trigger: "manual" })).toBe(false);
});

test("the client's word counts", () => {
  expect(mayBeSeveralLines({ ...atCursor("f() {█"), singleLine: true })).toBe(false);
  expect(mayBeSeveralLines({ ...atCursor("return a;█"), singleLine: false })).toBe(true);
});
