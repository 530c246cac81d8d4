import { describe, expect, test } from "vitest";
import { families } from "../prompt/families.ts";
import { sentinelTokens } from "../prompt/fim-format.ts";
import { identify } from "./identify.ts";
import type { ModelMetadata } from "./metadata.ts";

const shown = (more: Partial<ModelMetadata> & { tokens?: ReadonlySet<string> }): ModelMetadata => ({
  ...{ ownNames: [], architecture: "", template: "{{ .Prompt }}", capabilities: ["completion"] },
  ...more,
});
const tokens = (...texts: string[]) => new Set(texts);
const starcoderTokens = tokens("<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<fim_pad>", "<|endoftext|>");
const qwenTokens = tokens(
  ...["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"],
  ...["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
);

test.each(families.map((family) => [family.format.id, family] as const))(
  "a %s under a name of the user's own is known by its vocabulary and architecture",
  (id, { format, architectures }) => {
    const metadata = shown({ tokens: new Set(format.tokens), architecture: architectures[0] ?? "" });
    expect(identify("my-coder:latest", metadata)).toEqual({ format: expect.objectContaining({ id }) });
  },
);

test.each([
  ["Qwen2.5 Coder 1.5B", "qwen2", qwenTokens, "qwen"],
  ["CodeGemma 2b", "gemma", tokens("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"), "codegemma"],
  ["granite-3b-code-base-128k", "llama", starcoderTokens, "granite"],
  ["Mellum 4b Base", "llama", starcoderTokens, "mellum"],
  ["Stable Code 3b", "stablelm", starcoderTokens, "stable-code"],
])("the file's own name %s settles what vocabularies share", (own, architecture, set, id) => {
  const metadata = shown({ ownNames: [own], architecture, tokens: set });
  expect(identify("tuned", metadata).format?.id).toBe(id);
});

test("a name that the vocabulary contradicts is not believed", () => {
  const metadata = shown({
    tokens: tokens(...starcoderTokens, "<repo_name>", "<file_sep>"),
    architecture: "starcoder2",
  });
  expect(identify("qwen2.5-coder:7b-base", metadata)).toEqual({
    format: expect.objectContaining({ id: "starcoder2" }),
    warning: 'Model "qwen2.5-coder:7b-base" is called like a qwen, but is a starcoder2 by its vocabulary',
  });
});

describe("a refusal names the reason and another model", () => {
  test.each<[string, string, ModelMetadata, string]>([
    [
      "no tokens for it, whatever the name",
      "qwen2.5-coder:1.5b-base",
      shown({ tokens: tokens("<|im_start|>"), architecture: "llama", ownNames: ["smollm2"] }),
      "its vocabulary has no tokens for it (smollm2, architecture llama)",
    ],
    [
      "one sentinel is missing",
      "x",
      shown({ tokens: tokens("<fim_prefix>", "<fim_suffix>") }),
      "its vocabulary has no tokens for it",
    ],
    [
      "a model that embeds",
      "qwen2.5-coder",
      shown({ capabilities: ["embedding"], tokens: qwenTokens }),
      "Ollama says that its use is embedding",
    ],
    [
      "a model that shares the vocabulary of one that was trained",
      "my-coder",
      shown({ ownNames: ["Qwen2.5", "Qwen2.5 7B Instruct"], architecture: "qwen2", tokens: qwenTokens }),
      "of Qwen's models only the coders were trained for it",
    ],
    [
      "the same, known by its name alone",
      "mistral:7b",
      shown({ tokens: tokens("[PREFIX]", "[SUFFIX]", "[MIDDLE]"), architecture: "llama" }),
      "of Mistral's models only Codestral was trained for it",
    ],
    [
      "a size that was not trained",
      "my-llama",
      shown({
        ownNames: ["CodeLlama 34b"],
        tokens: tokens("<PRE>", "<SUF>", "<MID>"),
        architecture: "llama",
      }),
      "of Code Llama only 7B and 13B were trained for it",
    ],
  ])("%s", (_, model, metadata, because) => {
    const { refusal } = identify(model, metadata);
    expect(refusal).toContain(
      `Model "${model}" cannot fill in the middle: ${because}. Use for example FIM_MODEL=`,
    );
  });
});

test("a template with a place for the suffix says that a general model can do it", () => {
  const metadata = shown({
    ownNames: ["Qwen2.5"],
    tokens: qwenTokens,
    capabilities: ["completion", "insert"],
  });
  expect(identify("mine", metadata).format?.id).toBe("qwen");
});

test("a chat tune is told of its base, by the file's name too", () => {
  const metadata = shown({
    ownNames: ["Qwen2.5-Coder-7B-Instruct"],
    tokens: qwenTokens,
    architecture: "qwen2",
  });
  expect(identify("mine", metadata).warning).toMatch(/tuned to chat .*"qwen2\.5-coder:7b-base" is its base$/);
});

describe("without a vocabulary", () => {
  test("the template tells", () => {
    const [starcoder2] = families.filter(({ format }) => format.id === "starcoder2");
    const template = sentinelTokens(starcoder2!.format).join("{{ .Prompt }}");
    expect(identify("mine", shown({ template, architecture: "starcoder2" })).format?.id).toBe("starcoder2");
  });

  test("else the name", () => {
    expect(identify("codellama:7b-code", shown({})).format?.id).toBe("codellama");
    expect(identify("mine", shown({}))).toMatchObject({ unknown: true });
  });
});
