import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { formatById, leaksOf } from "../prompt/fim-format.ts";
import { neutralise } from "../prompt/neutralise.ts";
import { readProfile } from "./profiles.ts";

function profileFrom(content: unknown, model = "team/my-coder:7b") {
  using home = tempDir();
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(home.dir, "models.json"), text);
  return readProfile({ file: undefined, dhiHome: home.dir, model });
}

function problemsOf(content: unknown): string[] {
  try {
    profileFrom(content);
    return [];
  } catch (error) {
    return String(error)
      .split("\n")
      .slice(1)
      .map((line) => line.replace(/^ {2}\S*models\.json: /, ""));
  }
}

const inline = {
  id: "house",
  order: "SPM",
  prefix: "|pre|",
  suffix: "|suf|",
  middle: "|mid|",
  stop: ["|end|", "<eof>"],
};

test("without a file there is no profile", () => {
  using home = tempDir();
  expect(readProfile({ file: undefined, dhiHome: home.dir, model: "x" })).toEqual({});
});

test("a file that the settings name must be there", () => {
  using home = tempDir();
  const file = join(home.dir, "mine.json");
  expect(() => readProfile({ file, dhiHome: home.dir, model: "x" })).toThrow(`MODELS_FILE=${file}: `);
  writeFileSync(file, '{"x": {"maxTokens": 7}}');
  expect(readProfile({ file, dhiHome: home.dir, model: "x" }).maxTokens).toBe(7);
});

test("the first pattern that matches counts, without regard to case and :latest", () => {
  const all = { "other:*": { maxTokens: 1 }, "Team/My-Coder:*": { maxTokens: 2 }, "*": { maxTokens: 3 } };
  expect(profileFrom(all).maxTokens).toBe(2);
  expect(profileFrom(all, "other:1b").maxTokens).toBe(1);
  expect(profileFrom(all, "else").maxTokens).toBe(3);
  expect(profileFrom({ tuned: { maxTokens: 4 } }, "tuned:latest").maxTokens).toBe(4);
  expect(profileFrom({ "my.coder": { maxTokens: 4 } }, "my-coder")).toEqual({});
});

test("a known family is named, and everything else stands beside it", () => {
  const profile = {
    format: "starcoder2",
    mode: "simple",
    contextTokens: 1024,
    maxTokens: 64,
    stop: ["\n\n"],
    charsPerToken: 2.8,
    minMeanLogprob: -1.5,
    options: { temperature: 0.2 },
  };
  expect(profileFrom({ "*": profile })).toEqual({
    ...{ mode: "simple", contextTokens: 1024, maxTokens: 64, stop: ["\n\n"], charsPerToken: 2.8 },
    minMeanLogprob: -1.5,
    format: formatById("starcoder2"),
    temperature: 0.2,
  });
});

test("a format of one's own is complete with sentinels and stops, and its tokens are kept out of user code", () => {
  const { format } = profileFrom({ "*": { format: inline } });
  expect(format).toEqual({
    ...inline,
    tokens: ["|pre|", "|suf|", "|mid|", "<eof>"],
    repository: "comments",
    charsPerToken: 2.6,
  });
  expect(neutralise("a |suf| <eof> b", format!)).toBe("a ｜suf| ＜eof> b");
  expect(leaksOf(format!)).toContain("|end|");
});

test("it can mark files, as the known families do", () => {
  const { repository, ...rest } = formatById("starcoder2")!;
  expect(profileFrom({ "*": { format: { ...rest, id: "mine", repository } } }).format).toEqual({
    ...rest,
    id: "mine",
    repository,
  });
});

test("every bad field is named at once, also in profiles of other models", () => {
  const problems = problemsOf({
    a: { mode: "all", contextTokens: 10, tempreature: 1 },
    b: { format: { ...inline, order: "PMS", stop: [], extra: 1 } },
    c: { options: { temperature: 3, num_ctx: 1 }, stop: ["1", "2", "3", "4", "5"] },
  });
  expect(problems.map((line) => line.split(":")[0])).toEqual([
    ...["a.mode", "a.contextTokens", "a", "b.format.order", "b.format.stop", "b.format"],
    ...["c.stop", "c.options.temperature", "c.options"],
  ]);
  expect(problems).toContain('a: Unrecognized key: "tempreature"');
});

test.each([
  [
    "a family that is not known",
    { a: { format: "qwem" } },
    /^a\.format: "qwem" is no family; expected one of qwen, /,
  ],
  [
    "a format with a known family's name",
    { a: { format: { ...inline, id: "qwen" } } },
    /^a\.format\.id: "qwen" is the/,
  ],
  [
    "a token that cannot be told apart",
    { a: { format: { ...inline, tokens: ["▁"] } } },
    /^a\.format\.tokens\.0: /,
  ],
  ["no object", [], /expected record/],
  ["a profile that is none", { a: 1 }, /^a: .*expected object/],
  ["no JSON", "{", /JSON/],
])("%s stops the start", (_, content, words) => {
  expect(problemsOf(content).join("\n")).toMatch(words);
});
