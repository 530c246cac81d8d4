import { describe, expect, test } from "vitest";
import { costOf, estimateTokens, fittingLength } from "./estimate-tokens.ts";

/** One token a word. */
const vocabulary = { charsPerToken: 3.3 };

describe("the estimate", () => {
  test.each([
    ["nothing costs nothing", "", 0],
    ["a part of a token is a token", "a", 1],
    ["a word is a token, with the blank before it", "one two three", 3],
    ["a name is as many as it has words", "toStringTagOf", 4],
    ["a long word is several", "unsubscribefromeverything", 14],
    ["each digit is one", "1234567890", 11],
    ["an indent is less than one", `x\n${" ".repeat(12)}y`, 4],
    ["a rule of equal signs is a few", "=".repeat(30), 5],
    ["different signs are nearly one each", "[{(,.:;)}]", 8],
    ["hexadecimal is about one a character", "3f9a0c", 7],
    ["Japanese words", "名前を返す", 9],
    ["an emoji is as much as its bytes", "😀", 4],
    ["characters of many scripts are as much as their bytes", "ไअか한", 11],
  ])("%s", (_, text, tokens) => {
    expect(estimateTokens(text, vocabulary)).toBe(tokens);
  });

  test("grows with a vocabulary that takes fewer characters for a token", () => {
    const text = "return total + price;";
    expect(costOf(text, { charsPerToken: 2.2 })).toBeCloseTo(1.5 * costOf(text, vocabulary));
  });

  test("knows vocabularies that have each tab as a token, or few words beyond ASCII", () => {
    expect(costOf("\t\t\t\tx", { ...vocabulary, eachTab: true })).toBeGreaterThan(4);
    expect(costOf("\t\t\t\tx", vocabulary)).toBeLessThan(3);
    expect(costOf("이름", { ...vocabulary, beyondAscii: 2 })).toBe(2 * costOf("이름", vocabulary));
  });
});

describe("the fitting start of a text", () => {
  test.each([
    ["all of it", "a b", 2, "a b"],
    ["as many words as tokens, and the blank before the next", "one two three", 2, "one two "],
    ["nothing", "one", 0, ""],
    ["no word that costs more", "one", 0.5, ""],
  ])("%s", (_, text, tokens, start) => {
    expect(text.slice(0, fittingLength(text, tokens, vocabulary))).toBe(start);
  });

  test("costs what it may and no more", () => {
    const text = "const MAX_TOKENS = 0x1f; // 名前 \t😀\r\n".repeat(20);
    for (let tokens = 0; tokens < 200; tokens += 3.5) {
      const length = fittingLength(text, tokens, vocabulary);
      expect(costOf(text.slice(0, length), vocabulary)).toBeLessThanOrEqual(tokens + 1e-5);
      expect(costOf(text.slice(0, length + 1), vocabulary)).toBeGreaterThan(tokens);
    }
  });
});
