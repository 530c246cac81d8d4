import { expect, test } from "vitest";
import { shareIn, similarity, tellingLines } from "./similarity.ts";

const lines = (text: string) => tellingLines(text.replaceAll(";", ";\n"));

test("indents, blank lines and brackets tell nothing", () => {
  expect(tellingLines("if (a) {\n\n    b();\n  });\n}")).toEqual(new Set(["if (a) {", "b();"]));
});

test.each([
  ["the same", "a;b;", "b;a;", 1],
  ["half of all", "a;b;c;", "b;c;d;", 0.5],
  ["nothing in common", "a;", "b;", 0],
  ["nothing at all", "", "", 0],
])("similarity of %s", (_, a, b, expected) => {
  expect(similarity(lines(a), lines(b))).toBe(expected);
});

test("the share of a part in a whole says nothing of the rest of the whole", () => {
  expect(shareIn(lines("a;b;"), lines("b;c;d;e;"))).toBe(0.5);
  expect(shareIn(lines(""), lines("a;"))).toBe(0);
});
