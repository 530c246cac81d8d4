import { expect, test } from "vitest";
import { withoutPiecesOf } from "./without-pieces.ts";

test("what stands in a text is left out of the words, up to 7 characters may be anybody's", () => {
  const texts = ["const total = priceOf(cart);", "return total;"];
  expect(withoutPiecesOf(texts, 'cannot take "const total = priceOf(cart)" or "return" twice')).toBe(
    'cannot take "…" or "return" twice',
  );
  expect(withoutPiecesOf(["return total;"], "at return total; and again return total;.")).toBe(
    "at … and again ….",
  );
});

test("words that quote nothing stay as they are", () => {
  expect(withoutPiecesOf([], "no answer")).toBe("no answer");
  expect(withoutPiecesOf(["short", ""], "a short word")).toBe("a short word");
});

test("does not compare each place of the words with each of the texts: both may be indentation for the most part", () => {
  expect(withoutPiecesOf([" ".repeat(20_000)], `cannot take ${" ".repeat(20_000)}!`)).toBe("cannot take…!");
});
