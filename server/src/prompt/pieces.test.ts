import { expect, test } from "vitest";
import { snippet } from "../testing/snippets.ts";
import { joined, type Piece } from "./pieces.ts";

const piece = (startLine: number, endLine: number, form: Piece["form"] = "body"): Piece => ({
  ...{ snippet: snippet("a.ts", "x"), form, startLine, endLine, names: [], isHead: false },
  text: `${startLine}-${endLine}`,
});

const worth = () => 7;

test("lines that follow each other are one piece, also across the blank line that parts segments", () => {
  expect(joined([piece(1, 4), piece(5, 8), piece(10, 12), piece(15, 16)], worth)).toEqual([
    { startLine: 1, endLine: 12, text: "1-4\n5-8\n\n10-12", score: 0 },
    { startLine: 15, endLine: 16, text: "15-16", score: 0 },
  ]);
});

test("a signature stands for itself", () => {
  expect(joined([piece(1, 4, "signature"), piece(5, 8), piece(9, 9, "signature")], worth)).toHaveLength(3);
});

test("lines count as much as the likeliest definition that they begin", () => {
  const pieces = [piece(1, 4), { ...piece(5, 8), isHead: true }];
  expect(joined(pieces, worth)).toMatchObject([{ startLine: 1, endLine: 8, score: 7 }]);
});
