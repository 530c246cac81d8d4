import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { balanceBrackets } from "./balance-brackets.ts";

const run = (source: string, text: string) => balanceBrackets(text, { request: atCursor(source), stop: [] });

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
