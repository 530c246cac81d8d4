import { expect, test } from "vitest";
import { createBm25 } from "./bm25.ts";

const texts = ["invoice total", "total total money", "money", "wallet", "wallet box"].map((text) => ({
  text,
}));
const ranked = (query: string, limit = 9) =>
  createBm25(texts)
    .rank(query, limit)
    .map(({ item, score }) => [item.text, Number(score.toFixed(4))]);

test("scores as BM25 is defined: idf, saturated counts, length", () => {
  const idf = (n: number) => Math.log(1 + (5 - n + 0.5) / (n + 0.5));
  const length = (n: number) => 1.5 * (1 - 0.75 + (0.75 * n) / (9 / 5));
  const score = (count: number, n: number, words: number) =>
    Number(((idf(n) * count * 2.5) / (count + length(words))).toFixed(4));
  expect(ranked("total")).toEqual([
    ["total total money", score(2, 2, 3)],
    ["invoice total", score(1, 2, 2)],
  ]);
});

test("a rare word counts more than a frequent one, and only so many are returned", () => {
  expect(ranked("invoice wallet").map(([text]) => text)).toEqual(["invoice total", "wallet", "wallet box"]);
  expect(ranked("wallet", 1)).toHaveLength(1);
  expect(ranked("nothing")).toEqual([]);
});
