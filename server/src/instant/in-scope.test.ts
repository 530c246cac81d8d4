import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { inScope } from "./in-scope.ts";
import { OpenFileReader } from "./open-file.ts";
import { Vocabulary } from "./vocabulary.ts";

function scopeAt(source: string): Record<string, string> {
  const vocabulary = new Vocabulary();
  const { prefix, suffix } = atCursor(source);
  const found = inScope(new OpenFileReader(vocabulary).read(prefix, suffix), vocabulary);
  return Object.fromEntries(Array.from(found, ([id, how]) => [vocabulary.text(id), how]));
}

test("what a head around the cursor names is told from what the open blocks do, and closed blocks are left out", () => {
  const source = `
limit = 1
def other(theirs):
    hidden = theirs
def total(lines, tax):
    net = sum(lines)
    if gone:
        deep = 1
    for line in rows:
        █`;
  expect(scopeAt(source)).toEqual({
    ...{ limit: "block", other: "block", theirs: "block", total: "head", lines: "head", tax: "head" },
    ...{ net: "block", sum: "block", gone: "block", line: "head", rows: "head", 1: "block" },
  });
});

test("a head of several lines is one", () => {
  const source = "function total(\n  lines,\n  tax,\n) {\n  const net = 1;\n  █";
  expect(scopeAt(source)).toEqual({ total: "head", lines: "head", tax: "head", net: "block", 1: "block" });
});

test("members are in nobody's scope", () => {
  expect(scopeAt("a.size = b;\n█")).toEqual({ a: "block", b: "block" });
});
