import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { isAtLineEnd, leaveOutRightOfCursor } from "./right-of-cursor.ts";

test.each([
  ["keeps text when the line ends at the cursor", "a.█\n", "b();", "b();"],
  ["ends before what the line goes on with", "sum(█)", "a, b);", "a, b"],
  ["keeps brackets of its own", "sum(█)", "f(a), b)", "f(a), b"],
  ["leaves out the end that the rest of the line begins with", "sum(█); // all", "a);", "a"],
  ["drops a repetition of the rest of the line", "sum█(a, b);", "(a", ""],
  ["drops a repetition of the line below", "  █\n\n  return total;\n", "return total", ""],
  [
    "keeps a line that differs from the one below",
    "  █\n  return total;\n",
    "return count;",
    "return count;",
  ],
])("%s", (_, source, text, expected) => {
  const { prefix, suffix } = atCursor(source);
  expect(leaveOutRightOfCursor(text, prefix, suffix)).toBe(expected);
});

test.each([
  ["█\nnext();", true],
  ["sum(█);", true],
  ["get('/', (c█) => {", true],
  ['f("█"),', true],
  ["if (a.█):", true],
  ["<div>█</div>", true],
  ["throw█ new Error(MESSAGE)", false],
  ["sum(█, b)", false],
  ["    █  assert ok", false],
  ["na█me", false],
])("a line that goes on like %s is at its end: %s", (source, expected) => {
  expect(isAtLineEnd(atCursor(source).suffix)).toBe(expected);
});
