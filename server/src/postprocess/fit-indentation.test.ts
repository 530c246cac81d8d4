import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { fitIndentation } from "./fit-indentation.ts";

const run = (source: string, text: string, languageId = "typescript") =>
  fitIndentation(text, { request: { ...atCursor(source), languageId }, stop: [] });

const tabs = "a {\n\tb;\n\tc {\n\t\td;\n\t}\n}\n";
const two = "a {\n  b;\n  c {\n    d;\n  }\n}\n";
const four = two.replaceAll("  ", "    ");

test.each([
  ["four spaces become tabs", `${tabs}█`, "x {\n    y {\n        z;\n    }\n}", "x {\n\ty {\n\t\tz;\n\t}\n}"],
  ["so do two", `${tabs}█`, "x {\n  y {\n    z;\n  }\n}", "x {\n\ty {\n\t\tz;\n\t}\n}"],
  ["tabs become two spaces", `${two}█`, "x {\n\ty {\n\t\tz;\n\t}\n}", "x {\n  y {\n    z;\n  }\n}"],
  ["tabs become four", `${four}█`, "x {\n\ty;\n}", "x {\n    y;\n}"],
  ["blocks of four become blocks of two", `${two}  █`, "x {\n      y;\n  }", "x {\n    y;\n  }"],
  [
    "blocks of two become blocks of four",
    `${four}█`,
    "x {\n  y {\n    z;\n  }\n}",
    "x {\n    y {\n        z;\n    }\n}",
  ],
  ["the indentation that is there is not repeated", "  a;\n  █", "  b;\n  c;", "b;\n  c;"],
])("%s", (_, source, text, expected) => {
  expect(run(source, text)).toBe(expected);
});

test.each([
  ["what is as the file is", `${two}█`, "x {\n  y {\n    z;\n  }\n}"],
  ["alignment", `${two}█`, "x(y,\n  z);\nu {\n  v;\n}"],
  ["a continuation of four in blocks of two", `${two}█`, "x {\n  y(\n      z);\n}"],
  ["spaces that align behind tabs", `${tabs}█`, "x(\n\t  y)"],
  ["everything where the file is not clear", "█", "x {\n\ty;\n}"],
  ["the depth of a new block", "if (a) {\n  █", "  b;"],
  ["lines of a string", `${tabs}█`, "x = `\n    a`;"],
  ["text in a string", `${tabs}x = \`█`, "a\n    b\n        c"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});
