import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { balanceQuotes } from "./balance-quotes.ts";

const run = (source: string, middle: string, languageId = "lua") =>
  balanceQuotes(middle, { request: { ...atCursor(source), languageId }, stop: [] });

test.each([
  ["cuts a string that would swallow the rest of the line", "f(█)", "a, 'b", "a, "],
  ["cuts a quote that turns the rest of the line inside out", "'█/hello/:name': [", "/hello': [", "/hello"],
  ["keeps a whole string", "f(█)", "'a', \"b\"", "'a', \"b\""],
  ["keeps the inside of a string", 'f("█")', "it's", "it's"],
  ["keeps a string that ends and another that begins", 'f("█")', 'a", "b', 'a", "b'],
  ["keeps an escaped quote", 'f("█")', '\\"a', '\\"a'],
  ["keeps an open string at the end of a line", "f(█", "'a", "'a"],
  ["judges nothing in a line that is open already", "// don't █ (x)", "say 'a", "say 'a"],
])("%s", (_, source, middle, expected) => {
  expect(run(source, middle)).toBe(expected);
});

test("a text that is all quote is dropped", () => {
  expect(run("f(█)", "'a, b")).toEqual({ drop: "repeats-suffix" });
});

test("an apostrophe is a prime in Haskell", () => {
  expect(run("f (x█) y", "'", "haskell")).toBe("'");
});

test("languages whose literals are known are left to balanceLiterals", () => {
  expect(run("f(█)", "a, 'b", "typescript")).toBe("a, 'b");
});
