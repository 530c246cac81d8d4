import { expect, test } from "vitest";
import { families } from "./families.ts";
import { adviseModel, formatById, formatIds, leaksOf, sentinelTokens } from "./fim-format.ts";

test.each([
  ["qwen2.5-coder:1.5b-base", "qwen"],
  ["Qwen/Qwen2.5-Coder-7B", "qwen"],
  ["hf.co/Qwen/Qwen2.5-Coder-1.5B-GGUF:Q4_K_M", "qwen"],
  ["registry.example.com:5000/team/qwen2.5-coder:0.5b-base-q8_0", "qwen"],
  ["qwen3-coder:30b-a3b-q4_K_M", "qwen"],
  ["codeqwen:7b-code-v1.5-q4_0", "codeqwen"],
  ["starcoder2:3b", "starcoder2"],
  ["bigcode/starcoder2-15b", "starcoder2"],
  ["starcoder:1b", "starcoder"],
  ["hf.co/smallcloudai/Refact-1_6B-fim", "refact"],
  ["bigcode/santacoder", "santacoder"],
  ["deepseek-coder:6.7b-base", "deepseek"],
  ["deepseek-coder-v2:16b-lite-base-q4_0", "deepseek-v2"],
  ["DeepSeek-Coder-V2-Lite-Base.Q4_K_M.gguf", "deepseek-v2"],
  ["codellama:7b-code", "codellama"],
  ["meta-llama/CodeLlama-13b-hf", "codellama"],
  ["codegemma:2b", "codegemma"],
  ["codegemma:7b-code", "codegemma"],
  ["google/codegemma-7b", "codegemma"],
  ["codestral:22b-v0.1-q4_0", "codestral"],
  ["granite-code:8b-base", "granite"],
  ["ibm-granite/granite-3b-code-base-2k", "granite"],
  ["granite3.3:8b", "granite"],
  ["ibm-granite/granite-3.3-2b-base", "granite"],
  ["granite4:micro", "granite4"],
  ["ibm-granite/granite-4.0-h-small", "granite4"],
  ["stable-code:3b-code", "stable-code"],
  ["hf.co/ByteDance-Seed/Seed-Coder-8B-Base", "seed-coder"],
  ["JetBrains/Mellum-4b-base", "mellum"],
  ["zai-org/GLM-4.5-Air", "glm"],
  ["codegeex4:9b", "codegeex4"],
  ["aiXcoder/aixcoder-7b-base", "aixcoder"],
  ["Falcon-H1-Tiny-Coder-90M", "falcon-h1"],
])("%s is %s", (model, id) => {
  expect(adviseModel(model)).toEqual({ format: formatById(id) });
});

test.each([
  ["deepseek-coder:6.7b", "deepseek", "deepseek-coder:6.7b-base"],
  ["deepseek-coder", "deepseek", "deepseek-coder:1.3b-base"],
  ["library/deepseek-coder:33b", "deepseek", "deepseek-coder:33b-base"],
  ["deepseek-coder-v2", "deepseek-v2", "deepseek-coder-v2:16b-lite-base-q4_K_M"],
  ["qwen2.5-coder:7b-instruct", "qwen", "qwen2.5-coder:7b-base"],
  ["qwen2.5-coder:1.5b", "qwen", "qwen2.5-coder:1.5b-base"],
  ["qwen2.5-coder", "qwen", "qwen2.5-coder:7b-base"],
  ["hf.co/bartowski/Qwen2.5-Coder-14B-Instruct-GGUF", "qwen", "qwen2.5-coder:14b-base"],
  ["codeqwen:7b-chat", "codeqwen", "codeqwen:7b-code"],
  ["codellama:13b", "codellama", "codellama:13b-code"],
  ["granite-code:8b", "granite", "granite-code:8b-base"],
  ["stable-code:3b", "stable-code", "stable-code:3b-code"],
  ["starcoder2:instruct", "starcoder2", "starcoder2:15b"],
])("%s works as %s and is told of %s", (model, id, better) => {
  expect(adviseModel(model)).toEqual({
    format: formatById(id),
    warning: `Model "${model}" is tuned to chat and fills in the middle less well; "${better}" is its base`,
  });
});

test("Granite 3.0 to 3.2 work with a doubt", () => {
  expect(adviseModel("granite3.1-dense:8b")).toEqual({
    format: formatById("granite"),
    warning: 'Model "granite3.1-dense:8b": Granite says that it fills in the middle from 3.3 on',
  });
});

test.each([
  ...[
    "llama3:8b",
    "mistral",
    "devstral",
    "phi4",
    "yi-coder:9b-base",
    "opencoder:8b",
    "qwen2.5:7b",
    "qwen3:8b",
  ],
  ...["nomic-embed-text", "granite-embedding:30m", "granite3-guardian", "nomic-ai/nomic-embed-code"],
  ...["codellama:34b", "codellama:70b-code", "phind-codellama", "codellama:7b-python", "deepseek-r1:8b"],
  ...[
    "codegemma",
    "codegemma:7b",
    "codegemma:7b-it",
    "google/codegemma-1.1-7b-it",
    "gemma3:4b",
    "smollm2:135m",
  ],
  ...["mistralai/Mamba-Codestral-7B-v0.1", "Seed-Coder-8B-Instruct", "Seed-Coder-8B-Reasoning"],
])("%j is refused by name, with the reason and another model", (model) => {
  const advice = adviseModel(model);
  expect(advice).toEqual({
    refusal: expect.stringContaining(`Model "${model}" cannot fill in the middle: `),
  });
  expect(advice.refusal).toMatch(/\. Use for example FIM_MODEL=\S+$/);
});

test.each(["my-coder:7b", "tuned", ""])("%j says nothing, and what the model says of itself may", (model) => {
  expect(adviseModel(model)).toEqual({ refusal: expect.any(String), unknown: true });
});

test("a refusal says what to use instead", () => {
  expect(adviseModel("my-coder").refusal).toBe(
    'Model "my-coder" is not known to fill in the middle. Use for example FIM_MODEL=qwen2.5-coder:1.5b-base; ' +
      "for a model that can, under a name of its own, set FIM_FORMAT to one of qwen, codeqwen, starcoder2, refact, " +
      "starcoder, santacoder, deepseek-v2, deepseek, codellama, codegemma, codestral, granite4, granite, " +
      "stable-code, seed-coder, mellum, glm, codegeex4, aixcoder, falcon-h1",
  );
  expect(adviseModel("codellama:34b").refusal).toBe(
    'Model "codellama:34b" cannot fill in the middle: of Code Llama only 7B and 13B were trained for it. ' +
      "Use for example FIM_MODEL=codellama:13b-code",
  );
  expect(adviseModel("yi-coder:9b").refusal).toBe(
    'Model "yi-coder:9b" cannot fill in the middle: Yi-Coder was not trained for it. ' +
      "Use for example FIM_MODEL=qwen2.5-coder:1.5b-base",
  );
});

test("an unknown id has no format", () => {
  expect(formatById("llama3")).toBeUndefined();
});

test("ids are unique", () => {
  expect(new Set(formatIds()).size).toBe(families.length);
});

test("what a refusal suggests is itself accepted without a warning", () => {
  const suggested = families.flatMap(({ unfit = [] }) => unfit.map(({ instead }) => instead));
  for (const model of ["qwen2.5-coder:1.5b-base", ...suggested]) {
    expect(adviseModel(model), model).toEqual({
      format: expect.objectContaining({ id: expect.any(String) }),
    });
  }
});

test.each(families.map(({ format }) => [format.id, format] as const))("%s is a sound entry", (_, format) => {
  expect(format.stop.length).toBeGreaterThanOrEqual(1);
  expect(format.stop.length).toBeLessThanOrEqual(4);
  const sentinels = [format.prefix, format.suffix, format.middle].filter((s) => s !== "");
  expect(new Set(sentinels).size).toBe(sentinels.length);
  const withoutTokens = (text: string) =>
    format.tokens.reduce((rest, token) => rest.replace(token, ""), text);
  expect(sentinels.map((sentinel) => withoutTokens(sentinel).trim())).toEqual(sentinels.map(() => ""));
  expect(sentinelTokens(format).length).toBeGreaterThanOrEqual(sentinels.length);
  expect(format.tokens.every((token) => token.startsWith("<") || token.startsWith("["))).toBe(true);
  expect(leaksOf(format)).toEqual(expect.arrayContaining([...format.stop, ...format.tokens]));
  // 2.6 to 3.5 spans the measured tokenizers in their densest language.
  expect(format.charsPerToken).toBeGreaterThanOrEqual(2.6);
  expect(format.charsPerToken).toBeLessThanOrEqual(3.5);
});
