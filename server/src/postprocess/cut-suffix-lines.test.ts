import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { cutSuffixLines } from "./cut-suffix-lines.ts";

const run = (source: string, text: string, languageId = "") =>
  cutSuffixLines(text, { request: { ...atCursor(source), languageId }, stop: [] });

test.each([
  ["a closing line", "f() {█\n}", "\n  a();\n}", "\n  a();"],
  ["a telling line and all after it", "  a()█\n  return total", "\n  b()\n  return total\nx = 1", "\n  b()"],
  ["lines across blank ones", "  a()█\n\n\n  }\n}\n", "\n  b()\n  }\n\n}", "\n  b()"],
  ["the beginning of the next line", "  a()█\n  return total", "\n  b()\n  retu", "\n  b()"],
  ["the first letter of the next line", "  f(█\n    value,\n  )", "\n    a,\n    v", "\n    a,"],
  ["known lines and the first sign of another", "a()█\n// b\n// c", "\nd()\n// b\n/", "\nd()"],
  [
    "a block's end and the lines behind it",
    "a()█\n}\nvalue = b()\nif c",
    "\nif d {\n}\nvalue = b()\nif",
    "\nif d {",
  ],
  ["lines with CRLF", "f() {█\r\n}\r\n", "\r\n  a();\r\n}\r\n", "\r\n  a();"],
  [
    "a line that ends a block and begins another",
    "  █\n  } else {",
    "if a {\n    b()\n  } else {",
    "if a {\n    b()",
  ],
])("cuts %s", (_, source, text, expected) => {
  expect(run(source, text)).toBe(expected);
});

test.each([
  ["a closing line of another depth", "f() {\n  if (a) {█\n}", "\n    b();\n  }"],
  ["a closing line of its own block", "namespace x {\n█\n}", "void f() {\n  a();\n}"],
  ["a closing mark that the next line only begins with", "f(() => {█\n})", "\n  if (a) {\n  b()\n}"],
  ["a short line that the text goes on from", "█\nelse:\n  b", "x\nelse:\n  c"],
  ["what is not the next line", "█\na = 1\nresult = 2", "x\nresult = 2\ny"],
  ["everything where code stands right of the cursor", "f(█)\nreturn total", "a"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});

test.each([
  ["  █\n  return total\n", "return total"],
  ["  ret█\n  return total\n", "urn total"],
  ["a();\n█\n}", "}"],
  ["a();█\nreturn total", "\nreturn total"],
])("%j: drops %j, which is the next line", (source, text) => {
  expect(run(source, text)).toEqual({ drop: "repeats-suffix" });
});

test("a closing line that the code below has is cut, though the text opened the block", () => {
  const source = "function f() {\n  █\n  }\n}";
  expect(run(source, "if (a) {\n    b();\n  }\n", "typescript")).toBe("if (a) {\n    b();");
});
