import { expect, test } from "vitest";
import { readExpression } from "./expression.ts";

const words = (source: string): string | undefined => {
  const read = readExpression(source);
  const steps = read?.steps.map((s) => (s.kind === "member" ? `.${s.name}` : s.kind));
  return read && [`${read.root.kind} ${read.root.name}`, ...(steps ?? [])].join(" ");
};

test.each([
  ["invoice", "name invoice"],
  [" this.items ", "name this .items"],
  ["this.#hidden", "name this .#hidden"],
  ["a?.b!.c", "name a .b .c"],
  ["a!", "name a"],
  ["a()?.[0]", "name a call element"],
  ["f<Invoice>(x).lines", "name f call .lines"],
  ["f('(', `]`, { a: [1] })[0]", "name f call element"],
  ["await load(id)", "name load call await"],
  ["(await load(id)).lines[i + 1]", "name load call await .lines element"],
  ["new Map<string, Invoice>(rows).get(id)", "name Map new .get call"],
  ["new Invoice", "name Invoice new"],
  ["new shop.Invoice(1).total", "name shop .Invoice new .total"],
  ["new shop.parts.Line", "name shop .parts .Line new"],
  ["a\n  .b\n  .c", "name a .b .c"],
  ['"text"', "literal string"],
  ["`a b`.length", "literal string .length"],
  ["größe.$x", "name größe .$x"],
])("%s", (source, expected) => {
  expect(words(source)).toBe(expected);
});

test.each([
  "",
  "a + b",
  "a.",
  "a b",
  "f(",
  "f(]",
  "a ? b : c",
  "() => a",
  "{ a }",
  "1.5",
  "a !== b",
  "'open",
  "a[0",
])("%j is not read", (source) => {
  expect(readExpression(source)).toBe(undefined);
});
