import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { useLineEnds } from "./use-line-ends.ts";

test.each([
  ["CRLF above", "a\r\n█\nb", "x\ny", "x\r\ny"],
  ["CRLF below", "█\r\nb", "x\ny", "x\r\ny"],
  ["LF above", "a\n█\r\nb", "x\r\ny", "x\ny"],
  ["the nearest above counts", "a\nb\r\n█", "x\ny", "x\r\ny"],
  ["a file of one line", "a█", "\r\nx\r\ny", "\nx\ny"],
  ["lone CR", "a\n█", "x\ry", "x\ny"],
  ["mixed", "a\r\n█", "x\ny\r\nz", "x\r\ny\r\nz"],
  ["no line end", "a\r\n█", "x", "x"],
])("%s", (_, source, text, expected) => {
  expect(useLineEnds(text, { request: atCursor(source), stop: [] })).toBe(expected);
});
