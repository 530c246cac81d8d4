import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { type SeedChunk, seedIndex } from "../testing/seed-index.ts";
import { pathDistance } from "./names/path-distance.ts";
import { namesDefined } from "./names-defined.ts";

function found(chunks: readonly SeedChunk[], query: { names: string[] }): string[] {
  using home = tempDir();
  const db = seedIndex(home.dir, chunks);
  const paths = namesDefined(db, { path: "src/shop/cart.ts", ...query }).map((d) => d.path);
  db.close();
  return paths;
}
const defines = (path: string, ...symbols: string[]): SeedChunk => ({
  path,
  symbols,
  text: `${path} ${symbols}`,
});

test("finds where a name is defined, the nearest folder first", () => {
  const chunks = [
    defines("lib/total.ts", "total"),
    defines("src/total.ts", "total"),
    defines("src/shop/total.ts", "total"),
  ];
  expect(found(chunks, { names: ["total"] })).toEqual(["src/shop/total.ts", "src/total.ts", "lib/total.ts"]);
});

test("follows the order of the names", () => {
  const chunks = [defines("a.ts", "alpha"), defines("b.ts", "beta")];
  expect(found(chunks, { names: ["beta", "alpha"] })).toEqual(["b.ts", "a.ts"]);
});

test("leaves out the open file and what is not in the work tree", () => {
  const chunks = [defines("src/shop/cart.ts", "total"), { ...defines("old.ts", "total"), gone: true }];
  expect(found(chunks, { names: ["total"] })).toEqual([]);
});

test("a name defined all over the place says nothing", () => {
  const everywhere = Array.from({ length: 20 }, (_, i) => defines(`m${i}/index.ts`, "get"));
  expect(found(everywhere, { names: ["get"] })).toEqual([]);
});

test.each([
  ["src/a", "src/a", 0],
  ["src/a", "src/b", 2],
  [".", "src/a", 2],
  ["src/a/b", "src", 2],
])("from %s to %s it is %d steps", (a, b, steps) => {
  expect(pathDistance(a, b)).toBe(steps);
});
