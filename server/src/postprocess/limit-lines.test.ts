import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { limitLines } from "./limit-lines.ts";

const run = (source: string, text: string, more = {}) =>
  limitLines(text, { request: { ...atCursor(source), ...more }, stop: [] });

test.each([
  ["one line where code stands right of the cursor", "sum(█)", "a,\n  b", "a,"],
  ["a line without its CR", "sum(█)", "a,\r\n  b", "a,"],
  ["blanks before code right of the cursor stay", "x =█y", " 1 + \n", " 1 + "],
  ["several lines where nothing stands right of it", "if (a) {█\n}", "\n  b();\n  c();", "\n  b();\n  c();"],
  ["blanks right of the cursor are nothing", "if (a) {█  \n}", "\n  b();", "\n  b();"],
  ["trailing blank lines go", "if (a) {█\n}", "\n  b();\n\n  ", "\n  b();"],
  [
    "a line further left than the cursor's ends it",
    "  def f():\n    █",
    "return 1\n\n  def g():\n",
    "return 1",
  ],
  ["the cursor's column counts on a blank line", "def f():\n    █", "a()\n    b()\ndef g():", "a()\n    b()"],
  [
    "the model's own indentation counts in column 0",
    "def f():\n█",
    "    a()\n    b()\ndef g():",
    "    a()\n    b()",
  ],
  ["tabs count as indentation", "\t\t█", "a()\n\t\tb()\n\t}", "a()\n\t\tb()"],
  [
    "a comment's last line stands at the depth of its first",
    "/** a\n */█",
    "\nconst b = 1;",
    "\nconst b = 1;",
  ],
  ["the line that closes the cursor's block stays", "  if (a) {█", "\n    b();\n  }\n}", "\n    b();\n  }"],
  [
    "a new paragraph at the same depth ends it",
    "█",
    "def f():\n  a()\n\n  b()\n\ndef g():",
    "def f():\n  a()\n\n  b()",
  ],
  ["blank lines before any content do not end it", "import a█", "\n\nx = 1\n", "\n\nx = 1"],
])("%s", (_, source, text, expected) => {
  expect(run(source, text)).toBe(expected);
});

test.each([
  ["singleLine", { singleLine: true }, "a(\n  b", "a("],
  ["maxLines", { maxLines: 2 }, "a(\n  b,\n  c\n)", "a(\n  b,"],
])("%s is obeyed where nothing stands right of the cursor", (_, more, text, expected) => {
  expect(run("█", text, more)).toBe(expected);
});

test("a text that begins on the next line is dropped where only this one may be completed", () => {
  expect(run("sum(█)", "\n  a")).toEqual({ drop: "multi-line" });
  expect(run("sum(█", "\n  a", { singleLine: true })).toEqual({ drop: "multi-line" });
});
