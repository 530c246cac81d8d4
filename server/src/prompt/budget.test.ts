import { describe, expect, test } from "vitest";
import { prefixWindow, suffixWindow } from "./budget.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { formatById } from "./fim-format.ts";

const qwen = formatById("qwen")!;
const lines = (count: number) =>
  Array.from({ length: count }, () => "const value = await loaded;\n").join("");

describe("prefixWindow", () => {
  test("a prefix that fits is whole", () => {
    expect(prefixWindow("\n\nfoo(", 100, qwen)).toBe("\n\nfoo(");
  });

  test("a long prefix keeps its end, from a line start, and loses at most a hop and a line", () => {
    for (const count of [500, 600, 700, 800, 900]) {
      const prefix = `${lines(count)}const next = `;
      const window = prefixWindow(prefix, 700, qwen);
      expect(prefix.endsWith(window)).toBe(true);
      expect(window.startsWith("const value")).toBe(true);
      expect(estimateTokens(window, qwen)).toBeLessThanOrEqual(700);
      expect(estimateTokens(window, qwen)).toBeGreaterThan(700 - 256 - 10);
    }
  });

  test("typing leaves the start where it is for 256 tokens", () => {
    const prefix = lines(1000);
    const starts = new Set<number>();
    const typed = "names ".repeat(280);
    for (let i = 0; i < typed.length; i++) {
      const text = prefix + typed.slice(0, i);
      starts.add(text.length - prefixWindow(text, 1000, qwen).length);
    }
    expect(starts.size).toBeLessThanOrEqual(3);
  });

  test("a line longer than the window is cut inside", () => {
    const window = prefixWindow("word ".repeat(200_000), 500, qwen);
    expect(estimateTokens(window, qwen)).toBeLessThanOrEqual(500);
    expect(estimateTokens(window, qwen)).toBeGreaterThan(390);
  });

  test("text beyond ASCII still fills most of the window", () => {
    const window = prefixWindow("数".repeat(50_000), 700, qwen);
    expect(window.length).toBeLessThanOrEqual(700);
    expect(window.length).toBeGreaterThanOrEqual(188);
  });

  test("a cut never parts a surrogate pair", () => {
    for (let shift = 0; shift < 4; shift++) {
      const window = prefixWindow("a".repeat(shift) + "😀".repeat(5000), 300, qwen);
      expect(window.isWellFormed()).toBe(true);
      expect(window).not.toBe("");
    }
  });

  test("a token of the family is neutralised without a change of place", () => {
    expect(prefixWindow("a<|fim_middle|>b", 100, qwen)).toBe("a＜|fim_middle|>b");
  });

  test("nothing is left of no tokens", () => {
    expect(prefixWindow("abc", 0, qwen)).toBe("");
  });

  test("5 MB take no longer than what is shown", () => {
    const prefix = lines(250_000);
    prefixWindow(prefix, 700, qwen);
    const start = performance.now();
    for (let i = 0; i < 100; i++) prefixWindow(prefix, 700, qwen);
    // Far below what reading all of it takes, far above what reading the window takes.
    expect((performance.now() - start) / 100).toBeLessThan(20);
  });
});

describe("suffixWindow", () => {
  test.each([
    ["a suffix that fits is whole", ");\n}", 10, ");\n}"],
    ["a longer one ends with a line", "a();\nb();\nccccccccccccccc();\n", 9, "a();\nb();\n"],
    ["CRLF stays", "a();\r\nb();\r\nccccccccccccccc();\r\n", 11, "a();\r\nb();\r\n"],
    ["a line longer than the window is cut inside", "a ".repeat(100), 3, "a a a "],
    ["a cut does not part CRLF", "aaaaaa\r\nbbbbbb", 2, "aaaaaa"],
    ["a cut does not part a surrogate pair", "😀😀", 1, ""],
    ["a token of the family is neutralised", "<|fim_middle|>", 10, "＜|fim_middle|>"],
    ["nothing is left of no tokens", "abc", 0, ""],
  ])("%s", (_, suffix, tokens, expected) => {
    expect(suffixWindow(suffix, tokens, qwen)).toBe(expected);
  });
});
