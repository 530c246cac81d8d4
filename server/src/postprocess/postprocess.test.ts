import { atCursor } from "@dhi/core/testing/at-cursor";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatById, leaksOf } from "../prompt/fim-format.ts";
import { postprocess } from "./postprocess.ts";

const stop = leaksOf(formatById("qwen")!);
const run = (source: string, middle: string, languageId = "") =>
  postprocess(middle, { request: { ...atCursor(source), languageId }, stop });

test.each([
  ["good code is shown as it is", "total = █\n", "sum(prices)", "sum(prices)"],
  ["a leaked file goes", "total = █\n", "sum(prices)\n<|file_sep|>b.py\nx", "sum(prices)"],
  ["what the line repeats goes, after its further lines", "sum(█);", "a, b);\nsum(c);", "a, b"],
  ["what the lines below repeat goes", "f() {\n  █\n}\n", "return 1;\n}\n\ng() {", "return 1;"],
  ["a bracket that the line closes is not closed twice", "sum(█ )", "a, b)", "a, b"],
  ["a string that would swallow the rest of the line goes", "f(█)", "a + 'b", "a + "],
  ["a circle that a cut lays bare goes", "f(█)", "abcabcabcabcabc)", "abc"],
  ["line ends are the file's", "f() {█\r\n}\r\n", "\n  a();\n  b();\n}", "\r\n  a();\r\n  b();"],
])("%s", (_, source, middle, text) => {
  expect(run(source, middle)).toEqual({ text, reason: "ok" });
});

test.each([
  ["nothing", "x = █", "", "blank"],
  ["a stop at once", "x = █", "<|endoftext|>x", "blank"],
  ["the next line in the middle of this one", "sum(█)", "\n\nx = 1", "multi-line"],
  ["the rest of the line", "retur█ total;", " total;", "repeats-suffix"],
  ["the next line", "  a()\n  █\n  return total\n", "return total\n", "repeats-suffix"],
  ["one closing mark", "sum(█", ")", "too-short"],
  ["a key", "aws_key = █", '"AKIA' + 'QRSTUVWXYZ234567"', "secret"],
  ["the lines above", "total = price * 2\n█\n", "total = price * 2\n", "repetition"],
])("silence says why: %s", (_, source, middle, reason) => {
  expect(run(source, middle)).toEqual({ text: "", reason });
});

test("of a chat answer the code is shown, and talk alone says so", () => {
  const answer = "Sure, here is the code:\n```py\ntotal = sum(prices)\n```";
  expect(run("total = █\n", answer, "python")).toEqual({ text: "sum(prices)", reason: "ok" });
  expect(run("x = █", "I'm sorry, but I cannot do that", "python")).toEqual({ text: "", reason: "prose" });
});

/** Without what may be changed: line ends and indentation. */
const bare = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/(?<=^|\n)[^\S\n]+/g, "");

test("the text is a beginning of the middle, whole characters, and nothing more is cut from it", () => {
  const piece = fc.oneof(
    fc.constantFrom("(", ")", "[", "]", "{", "}", '"', "'", ";", ", ", "\n", "\r\n", "    ", "\t"),
    fc.constantFrom("return total", "else:", "a", "foo", "😀", "<|endoftext|>", "}\n", "x = 1\n"),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  );
  const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
  const request = fc.record({
    prefix: text,
    suffix: text,
    singleLine: fc.boolean(),
    maxLines: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(request, text, text, (at, middle, end) => {
      // Often the middle runs into what follows.
      const written = middle + at.suffix.slice(0, end.length);
      const shown = postprocess(written, { request: at, stop });
      expect(bare(written).startsWith(bare(shown.text))).toBe(true);
      expect(shown.text.isWellFormed()).toBe(true);
      expect(shown.text.trim() === "").toBe(shown.reason !== "ok");
      if (shown.reason === "ok") expect(postprocess(shown.text, { request: at, stop })).toEqual(shown);
    }),
    { numRuns: 2000 },
  );
});

test("a 5 MB file is no slower than a small one", () => {
  const line = "const value = compute(a, b);\n";
  const request = { prefix: line.repeat(170_000), suffix: `)${"x".repeat(5_000_000)}` };
  const start = performance.now();
  for (let i = 0; i < 20; i++) postprocess("a, b)", { request, stop });
  // Reading the lines around the cursor takes a few milliseconds, reading either side whole takes longer than this.
  expect((performance.now() - start) / 20).toBeLessThan(50);
});
