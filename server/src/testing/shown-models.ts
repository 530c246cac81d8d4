/** What Ollama 0.17 shows of real models, without their licences, tensors and ordinary tokens. */

export interface ShownModel {
  readonly template: string;
  readonly capabilities: readonly string[];
  readonly model_info: Readonly<Record<string, unknown>>;
}

const fill = (prefix: string, suffix: string, middle: string) =>
  `{{- if .Suffix }}${prefix}{{ .Prompt }}${suffix}{{ .Suffix }}${middle}{{- else }}{{ .Prompt }}{{- end }}`;

/** Weights are random, tokens and architecture those of Qwen2.5-Coder. */
const qwen: ShownModel = {
  template: fill("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"),
  capabilities: ["completion", "insert"],
  model_info: {
    "general.architecture": "qwen2",
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "qwen2",
    "tokenizer.ggml.tokens": [
      ...["!", "def", "Ġreturn", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>"],
      ...["<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>"],
      ...["<|repo_name|>", "<|file_sep|>"],
    ],
    "tokenizer.ggml.fim_pre_token_id": 151659,
  },
};

const starcoder2: ShownModel = {
  template: fill("<fim_prefix>", "<fim_suffix>", "<fim_middle>"),
  capabilities: ["completion", "insert"],
  model_info: {
    "general.architecture": "starcoder2",
    "tokenizer.ggml.pre": "starcoder",
    "tokenizer.ggml.tokens": [
      ...[
        "<|endoftext|>",
        "<fim_prefix>",
        "<fim_middle>",
        "<fim_suffix>",
        "<fim_pad>",
        "<repo_name>",
        "<file_sep>",
      ],
      ...["<issue_start>", "<jupyter_code>", "<pr>", "<NAME>", "Ġreturn"],
    ],
  },
};

const deepseek: ShownModel = {
  template: fill("<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"),
  capabilities: ["completion", "insert"],
  model_info: {
    "general.architecture": "llama",
    "tokenizer.ggml.pre": "deepseek-coder",
    "tokenizer.ggml.tokens": [
      ...[
        "õ",
        "<｜begin▁of▁sentence｜>",
        "<｜end▁of▁sentence｜>",
        "<｜fim▁hole｜>",
        "<｜fim▁begin｜>",
        "<｜fim▁end｜>",
      ],
      ...["<pad>", "<|User|>", "<|Assistant|>", "<|EOT|>"],
    ],
  },
};

/** A real chat model without any of these tokens. */
const smollm2: ShownModel = {
  template:
    "{{- range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n",
  capabilities: ["completion"],
  model_info: {
    "general.architecture": "llama",
    "general.basename": "smollm2",
    "general.finetune": "8k-lc100k-mix1-ep2",
    "tokenizer.ggml.pre": "smollm",
    "tokenizer.ggml.tokens": [
      ...[
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
        "<repo_name>",
        "<reponame>",
        "<file_sep>",
        "<filename>",
      ],
      ...["<gh_stars>", "<issue_start>", "<jupyter_code>", "<empty_output>", "Ġreturn"],
    ],
  },
};

const allMinilm: ShownModel = {
  template: "{{ .Prompt }}",
  capabilities: ["embedding"],
  model_info: {
    "general.architecture": "bert",
    "tokenizer.ggml.tokens": ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##ing"],
  },
};

export const shownModels = { qwen, starcoder2, deepseek, smollm2, allMinilm };
