import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { keepBlocks } from "./keep-blocks.ts";

const run = (source: string, text: string, languageId = "python") =>
  keepBlocks(text, { request: { ...atCursor(source), languageId }, stop: [] });

test.each([
  ["a line deeper than any block", "def f():\n    █", "a()\n        b()", "a()"],
  ["a line at a depth between two", "def f():\n    if a:\n        b()█", "\n      c()", undefined],
  ["a missing body", "█", "if a:\nb()", "if a:"],
  ["what could never run", "def f():\n    █", "return a\n    b()", "return a"],
  [
    "what follows a raise",
    "def f():\n    █",
    "raise A(\n        b\n    )\n    c()",
    "raise A(\n        b\n    )",
  ],
  ["an else without an if", "def f():\n    a()█", "\n    b()\n    else:\n        c()", "\n    b()"],
])("cuts before %s", (_, source, text, expected) => {
  expect(run(source, text)).toEqual(expected ?? { drop: "indentation" });
});

test.each([
  ["code that could never run", "def f():\n    return a\n    █", "b()"],
  ["a body that is not deeper", "if a:\n█", "b()"],
  ["a deeper line without a block", "a()\n    █", "b()"],
  ["an else in the body's depth", "if a:\n    b()\n    █", "else:\n        c()"],
])("%s is dropped", (_, source, text) => {
  expect(run(source, text)).toEqual({ drop: "indentation" });
});

test.each([
  ["the rest of a line", "def f():\n    ret█", "urn a"],
  ["a block and its end", "def f():\n    █", "if a:\n        return b\n    return c"],
  [
    "else and except",
    "def f():\n    try:\n        █",
    "return a\n    except E:\n        pass\n    else:\n        b()",
  ],
  ["lines inside brackets", "x = [█", "\n  1,\n      2,\n]"],
  ["lines of a string", "def f():\n    █", '"""a\n  b\n      c\n    """\n    return d'],
  ["comments at any depth", "def f():\n    █", "return a\n    # b\n# c"],
  ["a line after a backslash", "def f():\n    █", "a = b + \\\n            c"],
  ["what follows pass", "def f():\n    █", "pass\n    a()"],
  ["text in a docstring", 'def f():\n    """a\n    █', "b\n        c"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});

test("elsewhere indentation means nothing", () => {
  expect(run("{\n  █", "a();\n      b();", "typescript")).toBe("a();\n      b();");
});
