import { expect, test } from "vitest";
import { scopeOf } from "./scope.ts";

const scope = (source: string) => scopeOf(source.slice(0, source.indexOf("█")).split("\n"));

test.each<[string, string, string]>([
  ["the top level has none", "function done() {\n  return 1;\n}\nconst a = █", ""],
  ["a function", "function total(lines) {\n  let sum = 0;\n  for█", "function total(lines) {"],
  [
    "class and method",
    "class Invoice:\n    def total(self):\n        x█",
    "class Invoice:\ndef total(self):",
  ],
  ["a head of several lines", "export function total(\n  lines,\n) {\n  return █", "export function total("],
  ["not what ended before", "function one() {\n  a();\n}\nfunction two() {\n  b█", "function two() {"],
])("%s", (_, source, expected) => {
  expect(scope(source)).toBe(expected);
});

test("stays the same from line to line, and in branches and loops", () => {
  const start = "class A {\n  run() {\n";
  const ends = [
    "    b(█",
    "    b();\n    c█",
    "    for (;;) {\n      d(█",
    "    if (a) {\n      b();\n    } else {\n      c(█",
    "    b\n      .█",
    "    b\n      .map((c) =>\n        d(█",
    "    b =\n      c\n      && (\n        d█",
    "    [\n      b█",
  ];
  expect(new Set(ends.map((end) => scope(start + end)))).toEqual(new Set(["class A {\nrun() {"]));
});
