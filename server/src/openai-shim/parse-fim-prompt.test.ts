import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { families } from "../prompt/families.ts";
import { render } from "../prompt/render.ts";
import { parseFimPrompt } from "./parse-fim-prompt.ts";

const P = "def total(items):\n    return ";
const S = "\n\nprint(total([]))\n";

/** As Zed renders them (crates/edit_prediction/src/fim.rs). */
test.each([
  ["CodeLlama", `<PRE> ${P} <SUF>${S} <MID>`],
  ["StarCoder", `<fim_prefix>${P}<fim_suffix>${S}<fim_middle>`],
  ["DeepSeek-Coder", `<｜fim▁begin｜>${P}<｜fim▁hole｜>${S}<｜fim▁end｜>`],
  ["Qwen and CodeGemma", `<|fim_prefix|>${P}<|fim_suffix|>${S}<|fim_middle|>`],
  ["Codestral", `[SUFFIX]${S}[PREFIX]${P}`],
  ["GLM", `<|code_prefix|>${P}<|code_suffix|>${S}<|code_middle|>`],
])("takes Zed's prompt for %s apart", (_, prompt) => {
  expect(parseFimPrompt(prompt)).toEqual({ prefix: P, suffix: S });
});

test.each([
  ["suffix first", `<fim_suffix>${S}<fim_prefix>${P}<fim_middle>`],
  [
    "other files before",
    `<|repo_name|>shop\n<|file_sep|>b.py\nx = 1\n<|file_sep|>a.py\n<|fim_prefix|>${P}<|fim_suffix|>${S}<|fim_middle|>`,
  ],
  ["a line end behind", `<|fim_prefix|>${P}<|fim_suffix|>${S}<|fim_middle|>\n`],
])("takes a prompt apart with %s", (_, prompt) => {
  expect(parseFimPrompt(prompt)).toEqual({ prefix: P, suffix: S });
});

test.each([
  ["plain code", P],
  ["an unfinished one", `<|fim_prefix|>${P}<|fim_suffix|>${S}`],
  ["one whose code holds marks", `<|fim_prefix|>mark = "<|fim_suffix|>"<|fim_suffix|>${S}<|fim_middle|>`],
])("leaves %s alone", (_, prompt) => {
  expect(parseFimPrompt(prompt)).toBeUndefined();
});

describe("every family's own prompt", () => {
  test.each(families.map(({ format }) => [format.id, format] as const))("%s", (_, format) => {
    const code = fc.string({ maxLength: 60, unit: fc.constantFrom(..."ab(){} \n\tß".split("")) });
    fc.assert(
      fc.property(code, code, (prefix, suffix) => {
        const parts = render({ format, commentMark: "#", files: [], prefix, suffix });
        const prompt = parts.map(({ text }) => text).join("");
        expect(parseFimPrompt(prompt)).toEqual({ prefix, suffix });
      }),
      { numRuns: 50 },
    );
  });
});
