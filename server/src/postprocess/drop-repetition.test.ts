import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { dropRepetition } from "./drop-repetition.ts";

const run = (source: string, text: string) => dropRepetition(text, { request: atCursor(source), stop: [] });

test.each([
  ["a line", "█", "a()\nx = 1\nx = 1\nx = 1\n", "a()\nx = 1"],
  ["lines with CRLF", "█", "x = 1\r\nx = 1\r\nx = 1", "x = 1"],
  ["the rest of the cursor's line", "x =█", " 1\nx = 1\nx = 1", " 1"],
  ["several lines", "█", "a()\n\nb()\na()\n\nb()\na()\n\nb()\nc()", "a()\n\nb()"],
  ["words", "# █", "and so on and so on and so on and so", "and so on "],
  ["a short unit, five times", "█", "x = a, a, a, a, a, a", "x = a,"],
  ["half of a surrogate pair is not left", "█", `${"x😀y".repeat(5)}x\ud83d`, "x😀y"],
])("a circle is cut to its first round: %s", (_, source, text, expected) => {
  expect(run(source, text)).toBe(expected);
});

test.each([
  ["a line twice", "█", "x = 1\nx = 1\n"],
  ["closing lines", "█", "  }\n  }\n  }"],
  ["numbers and rulers", "█", "0, 0, 0, 0, 0, 0, 0 # ------------------------"],
  ["a unit four times", "█", "a, a, a, a"],
  ["a line that another line above has", "return total\nb = 1\n█", "return total"],
  ["a short line above", "a\n█", "a\nb"],
  ["a line that the user began", "foo(1);\nfoo(█", "1);"],
  ["another depth", "  return total\n█", "return total"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});

test.each([
  ["total = price * 2\n█", "total = price * 2"],
  ["total = price * 2\n\n█", "total = price * 2\nother()"],
  ["  a\n  b\n  █", "a\n  b\n  c"],
])("%j: drops %j, which repeats the lines above", (source, text) => {
  expect(run(source, text)).toEqual({ drop: "repetition" });
});
