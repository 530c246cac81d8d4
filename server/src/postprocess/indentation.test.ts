import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { columnsOf, indentUnitOf } from "./indentation.ts";

test.each([
  ["tabs", "a {\n\tb\n\tc {\n\t\td\n█", "\t"],
  ["two spaces", "a {\n  b {\n    c\n  }\n█\nd {\n  e", 2],
  ["three", "a {\n   b {\n      c\n█", 3],
  ["four", "def a():\n    b\ndef c():\n    d\n█", 4],
  [
    "blocks of two among continuations of four",
    "a {\n  b(\n      c)\n  d(\n      e)\n  f(\n      g)\n}\nh {\n  i\n█",
    2,
  ],
  ["below the cursor", "█\na {\n  b\n}\nc {\n  d\n}", 2],
  ["too little", "a {\n  b\n█", undefined],
  ["tabs and spaces alike", "a {\n\tb\n\tc\n  d\n  e\n█", undefined],
  ["alignments only", "a(b,\n       c,\n     d█", undefined],
])("%s", (_, source, unit) => {
  expect(indentUnitOf(atCursor(source))).toBe(unit);
});

test("a tab has four columns", () => {
  expect(columnsOf("\t  ")).toBe(6);
});
