import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scriptRegions } from "./script-regions.ts";
import { analyze, renderChunks, renderSymbols, statements } from "./testing/render.ts";

const vue = `<template>
  <ul>{{ total }}</ul>
</template>

<!-- <script>const commentedOut = 1;</script> -->
<script lang="ts">
export interface Line { price: number }
</script>

<script setup lang="ts" generic="T extends Record<string, Line>">
import { ref } from "vue";

const total = ref(0);
function add(line: Line) { total.value += line.price; }
</script>

<style scoped>
ul { color: red }
</style>
`;

describe("a single-file component", () => {
  test("is read by syntax in its scripts, tags included, and by lines elsewhere", () => {
    expect(renderChunks("Cart.vue", vue)).toMatchInlineSnapshot(`
      "1-5 lines -
      6-9 interface Line: interface Line
      10-12 imports -
      13-16 block -
      17-19 lines -"
    `);
  });

  test("has the symbols of its scripts at their lines in the file", () => {
    expect(renderSymbols("Cart.vue", vue)).toMatchInlineSnapshot(`
      "7-7 + interface Line: interface Line
      7-7 + variable Line › price: price: number
      13-13 - variable total: const total = ref(0)
      14-14 - function add: function add(line: Line)"
    `);
    expect(renderSymbols("Cart.vue", vue.replaceAll("\n", "\r\n"))).toBe(renderSymbols("Cart.vue", vue));
  });

  test.each([
    [
      "a module script",
      "a.svelte",
      '<script context="module">\n export const load = () => 1;\n</script>\n',
      ["load"],
    ],
    [
      "a script that is TypeScript by its type",
      "a.svelte",
      '<script type="text/typescript">let a: A;</script>',
      ["a"],
    ],
    ["JSX", "a.vue", '<script lang="tsx">\nexport const A = () => <b>{x as T}</b>;\n</script>', ["A"]],
    ["capitals and single quotes", "a.vue", "<SCRIPT LANG='ts'>enum A { B }</SCRIPT>", ["A", "B"]],
    ["a script on the template's line", "a.svelte", "<p>x</p><script>let a = 1;</script><p>y</p>", ["a"]],
    ["a script that is not closed yet", "a.vue", "<script>\nfunction half() {\n  re", ["half"]],
    ["no data", "a.vue", '<script type="application/ld+json">{"a": 1}</script>', []],
    ["no language without a grammar", "a.vue", '<script lang="coffee">a = 1</script>', []],
    ["no script elsewhere", "a.vue", '<script src="./a.ts"></script>\n<scripted>let a = 1</scripted>', []],
    ["a tag that is not closed", "a.vue", '<script lang="ts', []],
    [
      "the frontmatter of Astro",
      "a.astro",
      "---\nconst title: string = 1;\n---\n<h1>{title}</h1>\n",
      ["title"],
    ],
    ["scripts below it", "a.astro", "---\n---\n<p/>\n<script>\nlet a: number;\n</script>\n", ["a"]],
    ["frontmatter that is not closed yet", "a.astro", "---\nconst a = 1;\n", ["a"]],
    ["no frontmatter", "a.astro", "<p>--- a ---</p>\n", []],
  ])("is searched for scripts: %s", (_, path, text, names) => {
    const { symbols, chunks } = analyze(path, text);
    expect(symbols.map((symbol) => symbol.name)).toEqual(names);
    expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
  });

  test("with thousands of openings and no end takes no time to speak of", () => {
    const started = performance.now();
    for (const text of ["<script>", "<script ", '<script "', "<!--"])
      scriptRegions(text.repeat(50_000), "scripts");
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

const png = "iVBORw0KGgo".repeat(2_000);
const cells = [
  { cell_type: "markdown", metadata: {}, source: ["# Größe\n", 'Some "quoted" text'] },
  {
    cell_type: "code",
    execution_count: 1,
    metadata: {},
    outputs: [{ data: { "image/png": png }, output_type: "display_data" }],
    source: [
      "%matplotlib inline\n",
      "!pip install pandas\n",
      "import os\n",
      "\n",
      'def load(path="a\\n"):\n',
      '    """Opens."""\n',
      "    return os.open(path)\n",
    ],
  },
  { cell_type: "code", execution_count: 2, metadata: {}, outputs: [], source: "class Frame:\n    rows = 1" },
  { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: ["%%bash\n", "import x"] },
  { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: [] },
];
const notebook = (own: readonly object[], language = "python") =>
  `${JSON.stringify({ cells: own, metadata: { kernelspec: { language } }, nbformat: 4 }, null, 1)}\n`;

describe("a notebook", () => {
  test("is one chunk per cell, named by it, which says what its author wrote and nothing of its outputs", () => {
    const { chunks } = analyze("a.ipynb", notebook(cells));
    expect(chunks.map((chunk) => chunk.text).join("")).toBe(notebook(cells));
    expect(chunks.map((chunk) => [chunk.container, chunk.kind, chunk.name, chunk.searchText])).toEqual([
      ["cell 1", "lines", null, '# Größe\nSome "quoted" text'],
      ["cell 2", "block", null, cells[1]?.source && [cells[1].source].flat().join("")],
      ["cell 3", "class", "Frame", "class Frame:\n    rows = 1"],
      ["cell 4", "lines", null, "%%bash\nimport x"],
      ["cell 5", "block", null, ""],
    ]);
  });

  test("has the symbols of its cells at their lines in the file", () => {
    const text = notebook(cells);
    const { symbols } = analyze("a.ipynb", text);
    const lines = text.split("\n");
    expect(symbols.map((s) => [s.name, s.container, s.signature])).toEqual([
      ["load", null, 'def load(path="a\\n")'],
      ["Frame", null, "class Frame"],
      ["rows", "Frame", "rows = 1"],
    ]);
    expect(symbols.slice(0, 2).map((s) => [lines[s.startLine - 1], lines[s.endLine - 1]])).toEqual([
      ['    "def load(path=\\"a\\\\n\\"):\\n",', '    "    return os.open(path)\\n"'],
      ['   "source": "class Frame:\\n    rows = 1"', '   "source": "class Frame:\\n    rows = 1"'],
    ]);
  });

  test("with a large cell has it cut between its statements, and each part starts with a line of the file", () => {
    const code = `${["first", "second", "third"].map((name) => `def ${name}():\n${statements(1_200, "    ", "")}\n`).join("\n")}`;
    const source = code.split(/(?<=\n)/);
    const { chunks } = analyze("a.ipynb", notebook([{ cell_type: "code", metadata: {}, source }]));
    expect(chunks.map((c) => [c.container, c.name, c.signature])).toEqual([
      ["cell 1", "first", "def first()"],
      ["cell 1", "second", "def second()"],
      ["cell 1", "third", "def third()"],
    ]);
    expect(chunks.map((c) => c.searchText).join("")).toBe(code);
    expect(chunks.slice(1).map((c) => c.text.split("\n")[0])).toEqual([
      '    "def second():\\n",',
      '    "def third():\\n",',
    ]);
  });

  test.each([
    [
      "of another language",
      notebook(cells, "javascript").replaceAll("def load(path", "function other(path"),
      [],
    ],
    [
      "in the older format",
      JSON.stringify({ worksheets: [{ cells: [{ cell_type: "code", input: "def a(): pass" }] }] }),
      ["a"],
    ],
    [
      "that is written on one line",
      JSON.stringify({ cells: [{ cell_type: "code", source: "a = '\\u00e9'\nb = 1" }] }),
      ["a", "b"],
    ],
    ["without cells", '{"cells": []}', []],
    ["that is no JSON", '{"cells": [<<<<<<< HEAD\n', []],
    ["that nests too deep", "[".repeat(100_000), []],
    [
      "that holds something else",
      '{"cells": [1, {"source": 1}, {"cell_type": "code", "source": [1, "c = 1"]}]}',
      ["c"],
    ],
  ])("%s is read as far as it goes", (_, text, names) => {
    const { chunks, symbols } = analyze("a.ipynb", text);
    expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
    expect(symbols.filter((s) => s.container === null).map((s) => s.name)).toEqual(names);
  });

  test("is lossless for any source, and its cells say what was written", () => {
    const source = fc.oneof(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "grapheme" })));
    const cell = fc.record({ cell_type: fc.constantFrom("code", "markdown", "raw"), source });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), fc.constantFrom(undefined, 1, "\t"), (own, indent) => {
        const text = JSON.stringify({ cells: own }, null, indent);
        const { chunks } = analyze("a.ipynb", text);
        expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
        const written = own.map((one) => [one.source].flat().join(""));
        // A NUL would cut the text short in SQLite.
        expect(chunks.map((chunk) => chunk.searchText).join("")).toBe(
          written.join("").replaceAll("\0", "\ufffd"),
        );
      }),
      { numRuns: 60 },
    );
  });
});
