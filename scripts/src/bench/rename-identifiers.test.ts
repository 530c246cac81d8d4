import { expect, test } from "vitest";
import { renameIdentifiers, renamePath, wordOf } from "./rename-identifiers.ts";

const source = `import { formatCents, parseInvoice } from "./money/formatCents";

export async function totalOf(invoice: Invoice): Promise<string> {
  const SHIPPING_COSTS = 250;
  return formatCents(parseInvoice(invoice).total + SHIPPING_COSTS);
}
`;

test("the first copy is the original", () => {
  expect(renameIdentifiers(source, 0)).toBe(source);
});

test("a copy has other names and numbers, and the same ones every time", () => {
  const copy = renameIdentifiers(source, 2);
  expect(copy).not.toBe(source);
  expect(copy).toContain("252");
  expect(renameIdentifiers(source, 2)).toBe(copy);
  expect(new Set([1, 2, 3, 4].map((n) => renameIdentifiers(source, n))).size).toBe(4);
});

test("keywords stay, and so does the place of everything", () => {
  const kept = (text: string) =>
    text.match(/\b(import|export|async|function|const|return|string)\b|[^\w\s]/g);
  for (const copy of [1, 2, 3, 4, 5]) expect(kept(renameIdentifiers(source, copy))).toEqual(kept(source));
});

test("an import still leads to the file that it names", () => {
  for (const copy of [1, 2, 3, 4, 5, 6]) {
    const specifier = /"\.\/(.*)"/.exec(renameIdentifiers(source, copy))?.[1];
    expect(renamePath("money/formatCents.ts", copy)).toBe(`${specifier}.ts`);
  }
});

test.each([
  ["Python's package files", "billing/__init__.py", /\/__init__\.py$/],
  ["Rust's module files", "billing/mod.rs", /\/mod\.rs$/],
  ["extensions", "billing/Invoice.svelte", /\.svelte$/],
])("%s keep their names", (_, path, kept) => {
  for (const copy of [1, 2, 3, 4, 5]) expect(renamePath(path, copy)).toMatch(kept);
});

test("a word goes with the style of the name", () => {
  const words = (name: string) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((copy) => renameIdentifiers(name, copy).replace(wordOf(copy), "word"));
  expect(words("snake_case")).toContain("snake_case_word");
  expect(renameIdentifiers("MAX_BYTES", copyThatRenames("MAX_BYTES"))).toMatch(/^MAX_BYTES_[A-Z]+$/);
  expect(renameIdentifiers("camelCase", copyThatRenames("camelCase"))).toMatch(/^camelCase[A-Z][a-z]+$/);
});

test("no two copies have the same word", () => {
  expect(new Set(Array.from({ length: 200 }, (_, copy) => wordOf(copy))).size).toBe(200);
});

const copyThatRenames = (name: string): number =>
  [1, 2, 3, 4, 5, 6, 7, 8, 9].find((copy) => renameIdentifiers(name, copy) !== name) ?? 0;
