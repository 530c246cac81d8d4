import { expect, test } from "vitest";
import { linedText, namesOf } from "./lined-text.ts";

test("names are in lower case, without keywords and single letters", () => {
  expect(namesOf("const Invoice = await load(cart, i); // the Cart")).toEqual([
    "invoice",
    "load",
    "cart",
    "cart",
  ]);
});

test("a line of data is read at its start only", () => {
  expect(namesOf(`first ${"1,".repeat(1_000)} last`)).toEqual(["first"]);
});

test("a text is read once", () => {
  let reads = 0;
  const read = () => `cart();\n${reads++}`;
  const texts = [linedText("lined-text.test", read), linedText("lined-text.test", read)];
  expect(texts.map(({ lines, withName }) => [lines, [...withName]])).toEqual([
    [["cart();", "0"], [["cart", [0]]]],
    [["cart();", "0"], [["cart", [0]]]],
  ]);
});

test("a hundred thousand lines later a text is read again", () => {
  let reads = 0;
  const read = () => String(reads++);
  linedText("old", read);
  linedText("long", () => "\n".repeat(100_000));
  expect(linedText("old", read).lines).toEqual(["1"]);
});
