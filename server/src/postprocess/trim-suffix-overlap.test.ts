import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { trimSuffixOverlap } from "./trim-suffix-overlap.ts";

const run = (source: string, text: string) =>
  trimSuffixOverlap(text, { request: atCursor(source), stop: [] });

test.each([
  ["a bracket that the editor closed", "sum(█)", "a, b)", "a, b"],
  ["a bracket and the line's end", "sum(█);", "a, b);", "a, b"],
  ["a line's end behind a closed bracket", "sum(█);", "max(b);", "max(b)"],
  ["a quote and a bracket", 'print("█")', 'hello")', "hello"],
  ["a quote alone", 'x = "█"', 'hello"', "hello"],
  ["several brackets", "f([█])", "1, 2])", "1, 2"],
  ["as many brackets as are closed twice", "a(b(c(█))", "x)))", "x)"],
  ["the rest of the line, brackets and all", "foo(█, b)", "a, b)", "a"],
  ["all after the rest of the line was repeated", "foo(█, b)", "a, b).then(c)", "a"],
  ["a call that is there", "x = this█.f(a);", ".g.f(a);", ".g"],
  ["the beginning of a call that is there", "err := r█er(ew)", ".Render(e", ".Rend"],
  ["the first sign of a call that is there", "parent = curr█();", "ent(", "ent"],
  ["an opening bracket that is there", "class A█ {", "B {", "B"],
  ["a blank that is there", "x = a█ + b", " * c ", " * c"],
  ["the end of a word", "x = to█al", "tal", "t"],
])("cuts %s", (_, source, text, expected) => {
  expect(run(source, text)).toBe(expected);
});

test.each([
  ["a bracket that is still missing", "sum(█", "a, b)"],
  ["a bracket that is missing besides the one there", "foo(bar(█)", "x)"],
  ["a bracket of its own", "sum(█)", "a, max(b, c)"],
  ["its own bracket before more", "foo(\n  █)", "max(a)"],
  ["letters that the next word only begins with", "x = █foo", "self"],
  ["a bracket closed and opened again", "foo(█)", "a) + bar(b"],
  ["what only the lines below say", "foo(█\n)", "a)"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});

test("lets the editor's bracket close what the middle opened again", () => {
  expect(run("foo(█)", "a).bar(b)")).toBe("a).bar(b");
});

test("marks in a comment close nothing", () => {
  const request = { ...atCursor("// a) `b█)`"), languageId: "rust" };
  expect(trimSuffixOverlap("(c)`", { request, stop: [] })).toBe("(c");
});

test.each([
  ["retur█ total;", " total;"],
  ["sum(█)", ")"],
  ["f(█ , b)", " , b)"],
])("%s: drops %j, which only repeats", (source, text) => {
  expect(run(source, text)).toEqual({ drop: "repeats-suffix" });
});
