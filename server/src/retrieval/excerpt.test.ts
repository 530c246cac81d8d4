import { expect, test } from "vitest";
import { excerpt, type NameWeights } from "./excerpt.ts";
import { toNamedText } from "./named-text.ts";
import { wantedNames } from "./wanted-names.ts";

const place = {
  ...{ path: "a.ts", startLine: 101, endLine: 160, language: "typescript" },
  ...{ kind: "function", name: null, signature: null },
};
const shown = (lines: readonly string[], weights: NameWeights) => {
  const { startLine, endLine, score } = excerpt(place, toNamedText(lines.join("\n")), weights);
  return { startLine, endLine, score };
};
const filler = Array.from({ length: 60 }, () => "x;");

test("shows the lines on which the names weigh most together, and those that follow", () => {
  const lines = filler.with(5, "cart;").with(30, "cart;").with(38, "invoice;");
  const names = wantedNames(
    new Map([
      ["cart", 1],
      ["invoice", 2],
    ]),
  );
  expect(shown(lines, { names })).toEqual({ startLine: 129, endLine: 144, score: 3 });
});

test("a name that starts as the unfinished one counts, and once only when it is wanted by itself", () => {
  const lines = filler.with(20, "invoiceLine; invoice;");
  const weights = { names: wantedNames(new Map([["invoice", 2]])), start: { of: "inv", weight: 0.5 } };
  expect(shown(lines, weights).score).toBe(2.5);
  expect(shown(filler.with(20, "cart;"), weights).score).toBe(0);
});
