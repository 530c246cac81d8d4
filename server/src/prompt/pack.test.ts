import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Snippet } from "../retrieval/snippet.ts";
import { snippet } from "../testing/snippets.ts";
import { type Block, createPacker, type PackInput } from "./pack.ts";

/** A token a character, and ten for a header. */
const costs: Pick<PackInput, "costOf" | "charsPerToken"> = {
  costOf: ({ path, text }) => (path && text ? 10 + text.length : 10),
  charsPerToken: 1,
};

const packer = (snippets: readonly Snippet[], more: Partial<PackInput> = {}) =>
  createPacker({
    ...{ snippets, maxTokens: 1_000, ...costs },
    ...{ visible: new Set<string>(), near: new Set<string>(), partial: "" },
    ...more,
  });
const packed = (...args: Parameters<typeof packer>) => packer(...args).pack();
const texts = (blocks: readonly Block[]) => blocks.map(({ path, text }) => `${path}: ${text.trimEnd()}`);

const definition = (path: string, signature: string, body: string, rank = 0) =>
  snippet(path, `${signature} {\n${body}\n}`, { legs: ["definitions"], signature, rank });

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

describe("nothing is added", () => {
  test("when nothing was found", () => {
    expect(packed([])).toEqual([]);
  });

  test("when all names of what was found are visible, and it defines nothing", () => {
    const found = snippet("a.py", "total(price)", { rank: 5 });
    expect(packed([found], { visible: new Set(["total", "price"]) })).toEqual([]);
    expect(packed([found], { visible: new Set(["total"]) })).toHaveLength(1);
  });

  test("of comments, keywords and brackets alone", () => {
    expect(packed([snippet("a.py", "# total price\nreturn None\n}", { rank: 30 })])).toEqual([]);
  });
});

describe("the form", () => {
  const long = definition(
    "a.ts",
    "round(cents)",
    lines(9, () => "cents = cents;"),
  );

  test("is the signature where the body brings nothing more", () => {
    expect(texts(packed([long]))).toEqual(["a.ts: round(cents)"]);
  });

  test("is the body where it brings names, which then stand in place of the signature", () => {
    const telling = definition("a.ts", "round(cents)", "return bankers(cents, half)");
    expect(texts(packed([telling]))).toEqual(["a.ts: round(cents) {\nreturn bankers(cents, half)\n}"]);
  });

  test("is the signature where there is no room for the body", () => {
    const telling = definition("a.ts", "round(cents)", "return bankers(cents, half)");
    expect(texts(packed([telling], { maxTokens: 30 }))).toEqual(["a.ts: round(cents)"]);
  });
});

test("a name pays once: what only repeats others is left out", () => {
  const use = (path: string, rank: number) => snippet(path, "invoice.total(lines)", { rank });
  expect(texts(packed([use("a.py", 0), use("b.py", 20)]))).toEqual(["a.py: invoice.total(lines)"]);
});

test("what many found places hold is worth more than what one holds, though that was found first", () => {
  const found = [
    snippet("a.py", "rare(one)", { rank: 0 }),
    ...[1, 2, 3, 4].map((rank) => snippet(`b${rank}.py`, `common(b${rank}${rank})`, { rank })),
  ];
  expect(texts(packed(found, { maxTokens: 25 }))).toEqual(["b1.py: common(b11)"]);
});

test("names that end the unfinished one come first", () => {
  const found = [snippet("a.py", "first(x1)", { rank: 0 }), snippet("b.py", "formed(x1)", { rank: 2 })];
  expect(texts(packed(found, { maxTokens: 25 }))).toEqual(["a.py: first(x1)"]);
  expect(texts(packed(found, { maxTokens: 25, partial: "form" }))).toEqual(["b.py: formed(x1)"]);
});

test("only the lines of a long snippet that pay are shown, and a gap shows as a blank line", () => {
  const text = [
    lines(10, (i) => `first${i}()`),
    lines(10, () => "seen(seen, seen, seen)"),
    lines(10, (i) => `last${i}()`),
  ].join("\n");
  const [block] = packed([snippet("a.py", text, { rank: 1 })], { visible: new Set(["seen"]) });
  expect(block?.text).toBe(`${lines(10, (i) => `first${i}()`)}\n\n${lines(10, (i) => `last${i}()`)}\n`);
  expect(block?.pieces.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [1, 10],
    [21, 30],
  ]);
});

test("pieces of one file share a header, in the order of lines", () => {
  const found = [
    definition("a.ts", "later(x1)", "", 0),
    definition("b.ts", "other(x2)", "", 1),
    definition("a.ts", "sooner(x3)", "", 2),
  ].map((one, i) => ({ ...one, startLine: 90 - i * 30, endLine: 92 - i * 30 }));
  expect(texts(packed(found))).toEqual(["a.ts: sooner(x3)\nlater(x1)", "b.ts: other(x2)"]);
});

test("definitions come before uses that bring more names", () => {
  const found = [
    snippet(
      "use.ts",
      lines(5, (i) => `invoice${i}.total${i}(line${i})`),
      { legs: ["lexical", "vector"], rank: 0 },
    ),
    definition("money.ts", "round(cents)", "", 1),
  ];
  const blocks = packed(found);
  expect(blocks.map(({ path }) => path)).toEqual(["money.ts", "use.ts"]);
  expect(blocks[0]!.value).toBeGreaterThan(0);
});

describe("beside kept blocks", () => {
  const one = definition("a.ts", "one(x1)", "", 0);
  const two = definition("a.ts", "two(x2)", "", 1);
  const kept = packed([one]);

  test("new ones follow, under a header of their own, and nothing is shown again", () => {
    const all = packer([one, { ...two, startLine: 50, endLine: 52 }]).pack(kept);
    expect(all[0]).toBe(kept[0]);
    expect(texts(all)).toEqual(["a.ts: one(x1)", "a.ts: two(x2)"]);
  });

  test("they take of the same room", () => {
    expect(packer([one, two], { maxTokens: 20 }).pack(kept)).toEqual(kept);
  });

  test("they are worth what is known of them now", () => {
    expect(packer([one]).worth(kept)).toBeCloseTo(kept[0]!.value);
    expect(packer([two]).worth(kept)).toBe(0);
  });

  test("they are stale when their lines have another text", () => {
    expect(packer([one]).isStale(kept)).toBe(false);
    expect(packer([{ ...one, text: one.text.replace("one", "uno") }]).isStale(kept)).toBe(true);
    expect(packer([two]).isStale([])).toBe(false);
  });
});

describe("for any snippets and budget", () => {
  const word = fc.constantFrom("total", "price", "invoice", "round", "x", "return", "数", "línea");
  const line = fc.array(word, { maxLength: 6 }).map((words) => words.join("("));
  const anySnippet = fc
    .record({
      path: fc.constantFrom("a.ts", "b.ts", "src/c.py"),
      text: fc.array(line, { maxLength: 40 }).map((all) => all.join("\n")),
      startLine: fc.integer({ min: 1, max: 500 }),
      signature: fc.option(line),
      leg: fc.constantFrom("definitions" as const, "lexical" as const, "vector" as const),
      rank: fc.nat(30),
    })
    .map(({ path, text, leg, ...more }) => snippet(path, text, { ...more, legs: [leg] }));
  const input = fc.record({
    snippets: fc.array(anySnippet, { maxLength: 12 }),
    maxTokens: fc.oneof(fc.integer({ min: -50, max: 100 }), fc.nat(3_000)),
    partial: fc.constantFrom("", "to", "total"),
    names: fc.uniqueArray(word),
  });

  test("blocks cost no more than the budget, and the same input gives the same blocks", () => {
    fc.assert(
      fc.property(input, ({ snippets, names, ...more }) => {
        const given = { ...more, visible: new Set(names.slice(0, 2)), near: new Set(names.slice(2)) };
        const blocks = packed(snippets, given);
        const total = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(total).toBeLessThanOrEqual(Math.max(0, given.maxTokens));
        for (const { path, text, tokens } of blocks) expect(tokens).toBe(costs.costOf({ path, text }));
        expect(new Set(blocks.map(({ path }) => path)).size).toBe(blocks.length);
        const scores = blocks.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(packed(structuredClone(snippets), given)).toEqual(blocks);
      }),
      { numRuns: 300 },
    );
  });
});
