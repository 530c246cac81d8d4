import { expect, test } from "vitest";
import type { Snippet } from "../retrieval/snippet.ts";
import { snippet } from "../testing/snippets.ts";
import { layOut } from "./layout.ts";
import { type Block, createPacker } from "./pack.ts";

const defines = (name: string, rank: number, path = `${name}.ts`): Snippet =>
  snippet(path, `${name}(x)`, { legs: ["definitions"], signature: `${name}(x)`, rank });

function lay(
  snippets: readonly Snippet[],
  before?: readonly Block[],
  { maxTokens = 60, stays = 0.5 } = {},
): readonly Block[] {
  const packer = createPacker({
    ...{ snippets, maxTokens, visible: new Set<string>(), near: new Set<string>(), partial: "" },
    costOf: ({ text }) => 10 + text.length,
    charsPerToken: 1,
  });
  return layOut(packer, maxTokens, before && { blocks: before, prefixStart: 0, stays });
}
const paths = (blocks: readonly Block[]) => blocks.map(({ path }) => path);

test("a new choice stands in the order of paths, whatever the values", () => {
  expect(paths(lay([defines("b", 0), defines("c", 1), defines("a", 2)]))).toEqual(["a.ts", "b.ts", "c.ts"]);
});

test("what stood there stays, though something somewhat better is found", () => {
  const before = lay([defines("a", 0), defines("b", 1), defines("c", 2)]);
  expect(lay([defines("d", 0), defines("a", 1), defines("b", 2), defines("c", 3)], before)).toBe(before);
});

test("it stays when retrieval finds nothing, or is late", () => {
  const before = lay([defines("a", 0)]);
  expect(lay([], before)).toBe(before);
});

test("what is much better is added at the end while there is room", () => {
  const before = lay([defines("b", 0)]);
  expect(paths(lay([defines("a", 0), defines("c", 1), defines("b", 9)], before))).toEqual([
    "b.ts",
    "a.ts",
    "c.ts",
  ]);
});

test("its front stays where what is much better has room behind it", () => {
  const before = lay(["a", "b", "c", "d"].map((name, i) => defines(name, i)));
  expect(paths(before)).toEqual(["a.ts", "b.ts", "c.ts", "d.ts"]);
  const now = lay([defines("x", 0), defines("b", 1), defines("y", 1), defines("a", 2)], before);
  expect(paths(now)).toEqual(["a.ts", "b.ts", "x.ts", "y.ts"]);
});

test("whoever changes nothing gets what stood there, whatever there is", () => {
  const before = lay([defines("z", 0)]);
  const better = ["a", "b", "c", "d"].map((name) => defines(name, 0));
  expect(lay(better, before, { stays: 0 })).toBe(before);
  expect(lay(better, [], { stays: 0 })).toEqual([]);
});

test("whoever changes nothing gets a new choice where nothing of what stood there holds", () => {
  const before = lay([defines("a", 0), defines("b", 1)]);
  const changed = { ...defines("a", 0), text: "a(y)", signature: "a(y)" };
  const [first, second] = lay([changed, defines("b", 1)], before, { stays: 0 });
  expect([first?.text, second?.text]).toEqual(["a(y)\n", "b(x)\n"]);
});

test("what no longer fits goes, the front of it stays", () => {
  const before = lay([defines("a", 0), defines("b", 1), defines("c", 2)]);
  expect(paths(lay([], before, { maxTokens: 35, stays: 0 }))).toEqual(["a.ts", "b.ts"]);
});

test("what is much better takes the place of all when there is no room", () => {
  const room = { maxTokens: 45 };
  const before = lay([defines("y", 0), defines("z", 1), defines("x", 2)], undefined, room);
  const now = lay([defines("a", 0), defines("b", 1), defines("c", 2)], before, room);
  expect(paths(now)).toEqual(["a.ts", "b.ts", "c.ts"]);
});

test("what no longer fits goes", () => {
  const before = lay([defines("a", 0), defines("b", 1)]);
  expect(paths(lay([defines("a", 0), defines("b", 1)], before, { maxTokens: 20 }))).toEqual(["a.ts"]);
});

test("what its file holds no more goes", () => {
  const before = lay([defines("a", 0)]);
  const [block] = lay([{ ...defines("a", 0), text: "a(y)", signature: "a(y)" }], before);
  expect(block?.text).toBe("a(y)\n");
});
