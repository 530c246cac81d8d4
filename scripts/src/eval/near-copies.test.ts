import { expect, test } from "vitest";
import { withoutCopies } from "./near-copies.ts";

const lines = (...numbers: number[]) => numbers.map((n) => `const value${n} = compute(${n});`).join("\n");

test("leaves out a file of whose lines four fifths stand in one before it", () => {
  const original = { path: "src/a.js", text: lines(1, 2, 3, 4, 5) };
  const build = { path: "zz/a.js", text: `"use strict";\n${lines(1, 2, 3, 4, 5)}` };
  const half = { path: "src/b.js", text: lines(1, 2, 6, 7) };
  expect(withoutCopies([original, build, half])).toEqual([original, half]);
});

test("lines that stand in all files make no copy", () => {
  const short = { text: "}\nreturn;\nelse {" };
  expect(withoutCopies([short, short])).toEqual([short, short]);
});
