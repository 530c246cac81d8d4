import { expect, test } from "vitest";
import { codeIdentifiers, maskedLine } from "./code-identifiers.ts";

test.each([
  ["ecmascript", 'const total = sum(lines, "of invoice"); // adds up', ["total", "sum", "lines"]],
  ["ecmascript", "log(`a $price`, 'it\\'s', cost)", ["log", "cost"]],
  ["python", "total = '''text''' + price  # comment", ["total", "price"]],
  ["python", 'fail("half a string', ["fail"]],
  ["rust", "fn cost<'a>(price: &'a Invoice, c: char) { 'x' /* note */ }", ["cost", "price", "Invoice"]],
  ["go", "x, total := sum(y)", ["total", "sum"]],
] as const)("without strings, comments and words of every file, %s: %s", (family, line, expected) => {
  expect(codeIdentifiers(line, family)).toEqual(expected);
});

test("a masked line is as long as it was, so that columns stay", () => {
  expect(maskedLine('a("bc", d) // e', "ecmascript")).toBe("a(    , d)     ");
});
