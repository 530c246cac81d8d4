import { expect, test } from "vitest";
import { nameKey, toNamedText } from "./named-text.ts";
import { hitsIn, hitsStarting, wantedNames } from "./wanted-names.ts";

test("wanted names are found with their weights, in the order of the text, each time", () => {
  const text = toNamedText("cart.total\nother\ncart.items");
  const wanted = wantedNames(
    new Map([
      ["cart", 2],
      ["items", 1],
      ["total", 0],
    ]),
  );
  expect(hitsIn(text, wanted)).toEqual([
    { line: 0, key: nameKey("cart"), weight: 2 },
    { line: 2, key: nameKey("cart"), weight: 2 },
    { line: 2, key: nameKey("items"), weight: 1 },
  ]);
});

test("names that begin as the unfinished one are found in any case, without those wanted by themselves", () => {
  const text = toNamedText("invoice\nInvoiceLine + reinvoice\ninv\nÖlpreis");
  const wanted = wantedNames(new Map([["invoice", 1]]));
  const linesStarting = (of: string) => hitsStarting(text, { of, weight: 3 }, wanted);
  expect(linesStarting("inv")).toEqual([
    { line: 1, key: nameKey("InvoiceLine"), weight: 3 },
    { line: 2, key: nameKey("inv"), weight: 3 },
  ]);
  expect(linesStarting("öl")).toEqual([{ line: 3, key: nameKey("ölpreis"), weight: 3 }]);
});
