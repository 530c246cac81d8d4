import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { balanceBrackets } from "./balance-brackets.ts";

const run = (source: string, text: string, languageId = "") =>
  balanceBrackets(text, { request: { ...atCursor(source), languageId }, stop: [] });

test.each([
  ["before a bracket that is closed already", "foo(█ )", "a)", "a"],
  ["so that it closes a bracket opened again", "foo(█ )", "a).bar(b);", "a).bar(b"],
  ["before a bracket of any kind", "x[█ ] = {}", "i] = y", "i"],
  ["brackets in string literals do not count", `f(":(", █ )`, "')', b)", "')', b"],
])("cuts %s", (_, source, text, expected) => {
  expect(run(source, text)).toBe(expected);
});

test.each([
  ["brackets that are balanced", "foo(█)", "a[0], b()"],
  ["brackets that are still missing", "foo(bar(█ )", "a)"],
  ["brackets that nothing right of the cursor closes", "foo(█", "a)"],
  ["brackets left open", "foo(█)", "function () {"],
  ["brackets that only lines below close", "foo(█\n)", "a)"],
  ["a bracket in a string", "foo(█)", '":)"'],
  ["brackets beside lifetimes", "fn f<'a>(x: &'a str█", ", y: &'a str) -> &'a str {"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});

test("a text that only closes what is closed is dropped", () => {
  expect(run("foo(█ )", ")")).toEqual({ drop: "repeats-suffix" });
});

test.each([
  ["a bracket that the lines below close", "foo(█\n)", "a)", "a"],
  ["a block that they close", "function f() {\n  █\n}", "a(); }", "a(); "],
  ["a bracket that was never open", "foo();\n█", "a())", "a()"],
  ["one that does not fit", "foo(█", "a])", "a"],
  ["one that does not fit its own", "foo(█", "[a)", "[a"],
  [
    "its own block that lines far below close",
    `class A {\n  █\n${"    b();\n".repeat(200)}  }\n}`,
    "f() { a(); }",
    "f() { a(); ",
  ],
  ["its own that the next lines close", "█\n  a,\n];", "const x = [];", "const x = ["],
])("knows languages better and cuts before %s", (_, source, text, expected) => {
  expect(run(source, text, "typescript")).toBe(expected);
});

test.each([
  ["brackets that nothing closes", "class A {\n  f() {\n    foo(█\n  g() {}\n}", "a) }"],
  ["a block closed and another opened", "f() {\n  █\n  b();\n}", "a();\n}\ng() {"],
  ["brackets in comments and strings", "foo();\n█", 'a(); // )\nb("}");'],
  ["what the file is no help for", "foo())\nbar(█", "a)"],
])("knows languages better and keeps %s", (_, source, text) => {
  expect(run(source, text, "typescript")).toBe(text);
});

test("a closer where nothing is open is dropped", () => {
  expect(run("foo();\n█", "})", "typescript")).toEqual({ drop: "unbalanced" });
});
