import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { balanceTags } from "./balance-tags.ts";

const run = (source: string, text: string, languageId = "typescriptreact") =>
  balanceTags(text, { request: { ...atCursor(source), languageId }, stop: [] });

test.each([
  ["a tag that is closed already", "<p>█</p>", "a</p>", "a"],
  ["one that the lines below close", "<ul>\n  █\n</ul>", "<li>a</li>\n</ul>", "<li>a</li>\n"],
  ["one that is not open", "<p>█", "a</p></div>", "a</p>"],
  ["with attributes that hold brackets", "<A f={() => b}>█</A>", "c</A>", "c"],
])("cuts before %s", (_, source, text, expected) => {
  expect(run(source, text)).toBe(expected);
});

test.each([
  ["its own tags", "<p>█</p>", "<b>a</b>"],
  ["a tag that is missing", "<div><p>█</div>", "a</p>"],
  ["tags beside those that close themselves", "<p><br/>█", "<A/>a</p>"],
  ["text without tags", "<p>█</p>", "a"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});

test("a text that only closes what is closed is dropped", () => {
  expect(run("<p>a█</p>", "</p>", "html")).toEqual({ drop: "repeats-suffix" });
});

test("elsewhere they are less and greater than", () => {
  expect(run("a█", " </b> c", "rust")).toBe(" </b> c");
});
