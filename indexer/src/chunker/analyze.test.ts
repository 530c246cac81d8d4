import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Chunk } from "@dhi/core/chunk";
import { languageOf } from "@dhi/core/languages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAnalyzer } from "./analyze.ts";
import { MAX_CHUNK_LENGTH, MAX_CHUNK_WEIGHT } from "./source-text.ts";
import { add, coverageOf, NO_COVERAGE } from "./testing/coverage.ts";
import { analyze, statements } from "./testing/render.ts";

const repository = join(import.meta.dirname, "../../..");
const paths = ["a.ts", "a.tsx", "a.js", "a.py", "a.go", "a.rs", "A.java", "a.md", "Dockerfile"];

/** The promises that hold for every text. */
function expectWhole(path: string, text: string): void {
  const { chunks, symbols, references } = analyze(path, text);
  expect(chunks.map((c) => c.text).join("")).toBe(text);
  let offset = 0;
  for (const chunk of chunks) {
    expect(chunk.text).not.toBe("");
    expect(chunk.name).not.toBe("");
    expect(chunk.startLine).toBe(lineOf(text, offset));
    offset += chunk.text.length;
    expect(chunk.endLine).toBe(lineOf(text, offset - 1));
    expect(weight(chunk)).toBeLessThanOrEqual(MAX_CHUNK_WEIGHT);
    expect(chunk.text.length).toBeLessThanOrEqual(MAX_CHUNK_LENGTH);
    if (text.isWellFormed()) expect(chunk.text.isWellFormed()).toBe(true);
    expect(text.slice(offset - 1, offset + 1)).not.toBe("\r\n");
  }
  for (const reference of references) expect(reference.name).not.toBe("");
  for (const symbol of symbols) {
    expect(symbol.name).not.toBe("");
    expect(symbol.signature).not.toMatch(/\n/);
    expect(symbol.startLine).toBeLessThanOrEqual(symbol.endLine);
  }
}

const weight = (chunk: Chunk) => chunk.text.replace(/\s/g, "").length;
const lineOf = (text: string, offset: number) => text.slice(0, offset).split("\n").length;

describe("chunks, concatenated, are the file", () => {
  // Words of every language, so that random texts hold half-written definitions, not only noise.
  const word = fc.constantFrom(
    ..."class A { } ( ) [ ] ; : , = => function f def async export default import from const let var type interface enum".split(
      " ",
    ),
    ...'impl for fn pub mod struct trait func package public static void @dec #[x] // # /* */ /** """ \' " ` ${ => < >'.split(
      " ",
    ),
    ...[
      "\n",
      "\r\n",
      "\r",
      "\n\n",
      "\n    ",
      "\n\t",
      " ",
      "\f",
      "\u2028",
      "\ufeff",
      "\0",
      "😀",
      "é",
      "👨‍👩‍👧",
      "x".repeat(2_500),
      " ".repeat(300),
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(word, { maxLength: 150 }).map((words) => words.join(" ")),
  );

  test.each(paths)("for any text as %s", (path) => {
    fc.assert(
      fc.property(text, (source) => expectWhole(path, source)),
      { numRuns: 40 },
    );
  });

  test.each(paths)("for a text cut anywhere, as in a file that is being typed, as %s", (path) => {
    const source = readFileSync(join(repository, "core/src/index-db.ts"), "utf8");
    fc.assert(
      fc.property(fc.nat(source.length), fc.nat(2_000), (at, gap) =>
        expectWhole(path, source.slice(0, at) + source.slice(at + gap)),
      ),
      { numRuns: 4 },
    );
  });

  test.each([
    ["no final line break", "const a = 1"],
    ["CRLF", "/** a */\r\nfunction a() {\r\n  run();\r\n}\r\n\r\nconst b = 1;\r\n"],
    ["a byte order mark", "\ufefffunction a() {}\n\n\nfunction b() {}\n"],
    ["form feeds", "class A:\n    pass\n\f\nclass B:\n    pass\n"],
    ["only blanks", " \n\t\n  "],
    ["a NUL and a lone surrogate", "const a\0 = '\ud800';\nconst b = 2;\n"],
    ["characters outside the BMP in a long line", `const a = "${"😀".repeat(3_000)}";\n`],
    ["a minified line", `${"function a(){return b};".repeat(200)}\n`],
    ["a name that the parser invents", "= \0 let"],
    ["a very long blank line", `a${" ".repeat(30_000)}b\n`],
    ["CRLF where a line has to be cut", `${"abcdefgh\r\n".repeat(300)}`],
  ])("with %s", (_, source) => {
    for (const path of ["a.ts", "a.py", "a.md"]) expectWhole(path, source);
  });

  test("an empty file has none", () => {
    for (const path of paths)
      expect(analyze(path, "")).toEqual({ chunks: [], symbols: [], references: [], imports: [] });
  });
});

test("real files keep every line and definition whole, as far as the budget goes", () => {
  const files = [
    "core/src",
    "node_modules/zod/src/v4/core",
    "node_modules/express/lib",
    "node_modules/ollama/dist",
  ]
    .flatMap((dir) => filesIn(join(repository, dir)))
    .filter((path) => /\.([cm]?[jt]s|md)$/.test(path) && !path.includes("/tests/"));
  expect(files.length).toBeGreaterThan(50);
  const total = files.reduce((sum, path) => {
    const text = readFileSync(path, "utf8");
    return add(sum, coverageOf(text, analyze(path, text)));
  }, NO_COVERAGE);
  expect(total.chunksOverBudget).toBe(0);
  expect(total.wholeLines / total.lines).toBeGreaterThan(0.999);
  // The rest stand inside a function that had to be cut.
  expect(total.wholeDefinitions / total.definitions).toBeGreaterThan(0.998);
  expect(total.largeWithHead).toBe(total.largeDefinitions);
});

describe("what the parser cannot read becomes windows of lines without symbols", () => {
  const good = `export function total(): number {\n${statements(400)}\n}\n`;

  test("when it takes too long; the next file is parsed from its own start", async () => {
    const impatient = await createAnalyzer({ parseTimeoutMs: -1 });
    const language = languageOf("a.ts");
    const { chunks, symbols } = impatient.analyze(good.repeat(20), language);
    expect(new Set(chunks.map((c) => c.kind))).toEqual(new Set(["lines"]));
    expect(symbols).toEqual([]);
    expect(analyze("a.ts", good).symbols.map((s) => s.name)).toEqual(["total"]);
  });

  test.each([
    ["unclosed braces overflow the parser's stack", "{a:".repeat(5_000)],
    ["namespaces nest deeper than can be read", `${"namespace A {\n".repeat(3_000)}${"}".repeat(3_000)}`],
  ])("when %s, and every later file is parsed as before", (_, source) => {
    expectWhole("a.ts", source);
    const { chunks, symbols } = analyze("a.ts", source);
    expect([new Set(chunks.map((c) => c.kind)), symbols]).toEqual([new Set(["lines"]), []]);
    expect(analyze("a.ts", good).symbols.map((s) => s.name)).toEqual(["total"]);
    expect(analyze("a.py", "def a(): pass\n").symbols.map((s) => s.name)).toEqual(["a"]);
  });
});

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
