import { expect, test } from "vitest";
import { UNKNOWN, Vocabulary } from "./vocabulary.ts";

test("each of many words keeps its number, its text and its kind", () => {
  const vocabulary = new Vocabulary();
  const words = Array.from({ length: 10_000 }, (_, i) =>
    i % 3 === 0 ? `name${i}` : i % 3 === 1 ? `\n+${" ".repeat(i)}` : `#${i}`,
  );
  const ids = words.map((word) => vocabulary.add(word));
  expect(new Set(ids).size).toBe(words.length);
  expect(words.map((word) => vocabulary.find(word))).toEqual(ids);
  expect(ids.map((id) => vocabulary.text(id))).toEqual(words);
  expect(ids.filter((id) => vocabulary.isName(id))).toEqual(ids.filter((_, i) => i % 3 === 0));
  expect(ids.filter((id) => vocabulary.isLineBreak(id))).toEqual(ids.filter((_, i) => i % 3 === 1));
});

test("a word that was never seen has no text and no kind", () => {
  const vocabulary = new Vocabulary();
  expect(vocabulary.find("unseen")).toBe(UNKNOWN);
  expect([vocabulary.text(UNKNOWN), vocabulary.isName(UNKNOWN), vocabulary.isLineBreak(UNKNOWN)]).toEqual([
    "",
    false,
    false,
  ]);
});
