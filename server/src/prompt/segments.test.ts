import { expect, test } from "vitest";
import { segmentsOf } from "./segments.ts";

const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => `line${from + i}`).join("\n");
const shape = (text: string, startLine = 1) =>
  segmentsOf(text, startLine).map((s) => `${s.startLine}-${s.endLine} ${s.text.split("\n").length}`);

test.each<[string, string, string[]]>([
  ["a short text is one", numbered(4), ["1-4 4"]],
  ["a long one is cut each ten lines", numbered(23), ["1-10 10", "11-20 10", "21-23 3"]],
  ["a blank line ends one of five lines or more", `${numbered(6)}\n\n${numbered(4, 8)}`, ["1-6 6", "8-11 4"]],
  ["and not a shorter one", `${numbered(2)}\n\n${numbered(4, 4)}`, ["1-7 7"]],
  ["blank lines around it are no part of it", `\n\n${numbered(3, 3)}\n  \n`, ["3-5 3"]],
  ["a blank text has none", " \n\n", []],
])("%s", (_, text, expected) => {
  expect(shape(text)).toEqual(expected);
});

test("lines are numbered from where the text starts", () => {
  expect(shape(numbered(12), 101)).toEqual(["101-110 10", "111-112 2"]);
});

test("CRLF stays inside, and goes at the end", () => {
  expect(segmentsOf("a\r\nb\r\n", 1)).toEqual([{ startLine: 1, endLine: 2, text: "a\r\nb" }]);
});
