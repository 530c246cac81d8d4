import { expect, test } from "vitest";
import { widen } from "./widen.ts";

const FILE = [
  "import os",
  "",
  "def first_function():",
  "    return os.sep",
  "",
  "def second_function():",
  "    return 2",
  "",
];
const file = FILE.join("\n");
const lines = (from: number, to: number) => `${FILE.slice(from, to).join("\n")}\n`;

test.each([
  ["adds what is above and below", lines(2, 4), lines(4, 6), file],
  ["adds nothing to all of the file", lines(0, 4), lines(4, 7), file],
  ["adds what is below the top of a file", lines(0, 4), lines(4, 6), file],
  ["knows a file with other line ends", lines(2, 4), lines(4, 6), file.replaceAll("\n", "\r\n")],
])("%s", (_, prefix, suffix, text) => {
  expect(widen({ prefix, suffix }, text)).toEqual({ prefix: lines(0, 4), suffix: lines(4, 7) });
});

test("the excerpt's own text counts where the file has it otherwise", () => {
  const prefix = `${lines(2, 4)}changed = `;
  expect(widen({ prefix, suffix: `\n${lines(5, 7)}` }, file)).toEqual({
    ...{ prefix: `${lines(0, 4)}changed = `, suffix: `\n${lines(5, 7)}` },
  });
});

test.each([
  ["lines that stand twice", lines(2, 4), "", file + file],
  ["edges in the wrong order", lines(5, 7), lines(1, 4), file],
  ["an edge of one bracket", "}\n", "}\n", file],
  ["another file", lines(2, 4), lines(4, 6), "nothing of it"],
])("%s add nothing", (_, prefix, suffix, text) => {
  expect(widen({ prefix, suffix }, text)).toEqual({ prefix, suffix });
});
