/**
 * The table of model families. A new family is one entry, with its source, and one prompt in `build-prompt.test.ts`.
 *
 * Where sources contradict each other the vendor's own code or paper counts. `charsPerToken` fits the estimate to the
 * families' own tokenizers (`estimate-tokens.ts`); families whose tokenizer was not at hand have a cautious guess.
 */
import type { FimFormat, RepositoryFormat } from "./fim-format.ts";

/** Members of a family, by name. */
interface Variant {
  readonly names: RegExp;
  readonly because: string;
}

export interface ModelFamily {
  readonly format: FimFormat;
  /** On the name in lower case, without registry and namespace, `-` for `_`. The first family that matches counts. */
  readonly names: RegExp;
  /** `general.architecture` in the GGUF files of its members. */
  readonly architectures: readonly string[];
  /** Members that were not trained to fill in the middle. */
  readonly unfit?: readonly (Variant & { readonly instead: string })[];
  /** Members for which nobody promises that they were. */
  readonly doubtful?: readonly Variant[];
  /** How the Ollama library names base weights, for families that it also has as chat tunes. */
  readonly base?: {
    readonly name: string;
    /** Sizes there are base weights of, the default first. */
    readonly sizes: readonly string[];
    /** A tag without it is the chat tune; empty when tags are base unless they say otherwise. */
    readonly mark: string;
    readonly tagEnd: string;
  };
}

const fimTokens = ["<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<fim_pad>"];
const pipeFimTokens = ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|fim_pad|>"];

/** `<filename>path`, before the FIM block; StarCoder's vocabulary. */
const filenameMarks: RepositoryFormat = {
  repoName: ["<reponame>", ""],
  otherFiles: "before",
  otherFile: ["<filename>", "\n"],
  afterFile: "",
  currentFile: { mark: "", path: ["<filename>", "\n"], place: "before" },
};

/** DeepSeek-Coder README, "Repository Level Code Completion": a `#path` line before each file, in every language. */
const hashPaths: RepositoryFormat = {
  otherFiles: "before",
  otherFile: ["#", "\n"],
  afterFile: "\n",
  currentFile: { mark: "", path: ["#", "\n"], place: "before" },
};

const starcoder: FimFormat = {
  id: "starcoder",
  order: "PSM",
  prefix: "<fim_prefix>",
  suffix: "<fim_suffix>",
  middle: "<fim_middle>",
  stop: ["<|endoftext|>", "<filename>"],
  tokens: [...fimTokens, "<reponame>", "<filename>", "<gh_stars>", "<|endoftext|>"],
  repository: filenameMarks,
  charsPerToken: 3,
};

const deepseek: FimFormat = {
  id: "deepseek",
  order: "PSM",
  prefix: "<｜fim▁begin｜>",
  suffix: "<｜fim▁hole｜>",
  middle: "<｜fim▁end｜>",
  stop: ["<｜end▁of▁sentence｜>", "<|EOT|>", "<｜fim▁begin｜>"],
  tokens: [
    "<｜fim▁begin｜>",
    "<｜fim▁hole｜>",
    "<｜fim▁end｜>",
    "<｜begin▁of▁sentence｜>",
    "<｜end▁of▁sentence｜>",
    "<|EOT|>",
  ],
  repository: hashPaths,
  charsPerToken: 2.7,
  beyondAscii: 1.5,
};

export const families: readonly ModelFamily[] = [
  {
    // QwenLM/Qwen3-Coder README and examples/Qwen2.5-Coder-repolevel-fim.py; arXiv 2409.12186. Same ids in Qwen3-Coder.
    names: /qwen-?(2\.?5|3)-?coder|qwen-?3\.[56]/,
    architectures: ["qwen2", "qwen3", "qwen3moe", "qwen3next", "qwen35", "qwen35moe"],
    base: {
      name: "qwen2.5-coder",
      sizes: ["7b", "0.5b", "1.5b", "3b", "14b", "32b"],
      mark: "base",
      tagEnd: "-base",
    },
    format: {
      id: "qwen",
      order: "PSM",
      prefix: "<|fim_prefix|>",
      suffix: "<|fim_suffix|>",
      middle: "<|fim_middle|>",
      stop: ["<|endoftext|>", "<|file_sep|>", "<|repo_name|>", "<|im_end|>"],
      tokens: [
        ...pipeFimTokens,
        "<|repo_name|>",
        "<|file_sep|>",
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
      ],
      repository: {
        repoName: ["<|repo_name|>", "\n"],
        otherFiles: "before",
        otherFile: ["<|file_sep|>", "\n"],
        afterFile: "",
        currentFile: { mark: "", path: ["<|file_sep|>", "\n"], place: "before" },
      },
      charsPerToken: 3.3,
    },
  },
  {
    // QwenLM/CodeQwen1.5 README: no pipes, unlike every later Qwen.
    names: /codeqwen/,
    architectures: ["qwen2"],
    base: { name: "codeqwen", sizes: ["7b"], mark: "code", tagEnd: "-code" },
    format: {
      id: "codeqwen",
      order: "PSM",
      prefix: "<fim_prefix>",
      suffix: "<fim_suffix>",
      middle: "<fim_middle>",
      stop: ["<|endoftext|>", "<file_sep>"],
      tokens: [...fimTokens, "<reponame>", "<file_sep>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"],
      repository: {
        repoName: ["<reponame>", "\n"],
        otherFiles: "before",
        otherFile: ["<file_sep>", "\n"],
        afterFile: "",
        currentFile: { mark: "", path: ["<file_sep>", "\n"], place: "before" },
      },
      charsPerToken: 2.9,
    },
  },
  {
    // StarCoder2 paper (arXiv 2402.19173) and bigcode-project/starcoder2#10: `<fim_prefix>` stands before the path of
    // the file that is filled in, and `<file_sep>` is the stop that keeps it from inventing the next file.
    names: /starcoder-?2/,
    architectures: ["starcoder2"],
    base: { name: "starcoder2", sizes: ["15b", "3b", "7b"], mark: "", tagEnd: "" },
    format: {
      id: "starcoder2",
      order: "PSM",
      prefix: "<fim_prefix>",
      suffix: "<fim_suffix>",
      middle: "<fim_middle>",
      stop: ["<|endoftext|>", "<file_sep>", "<repo_name>"],
      tokens: [...fimTokens, "<repo_name>", "<file_sep>", "<|endoftext|>"],
      repository: {
        repoName: ["<repo_name>", ""],
        otherFiles: "before",
        otherFile: ["<file_sep>", "\n"],
        afterFile: "",
        currentFile: { mark: "<file_sep>", path: ["", "\n"], place: "in-prefix" },
      },
      charsPerToken: 3,
    },
  },
  {
    // smallcloudai/refact known_models.json and its engine: StarCoder's vocabulary, suffix first.
    names: /refact/,
    architectures: ["refact"],
    format: { ...starcoder, id: "refact", order: "SPM" },
  },
  {
    // bigcode-project/starcoder, formats of the playground.
    names: /starcoder/,
    architectures: ["starcoder"],
    format: starcoder,
  },
  {
    // bigcode-evaluation-harness, santacoder_fim.py: hyphens where StarCoder has underscores.
    names: /santacoder/,
    architectures: ["gpt2", "starcoder"],
    format: {
      id: "santacoder",
      order: "PSM",
      prefix: "<fim-prefix>",
      suffix: "<fim-suffix>",
      middle: "<fim-middle>",
      stop: ["<|endoftext|>"],
      tokens: ["<fim-prefix>", "<fim-suffix>", "<fim-middle>", "<fim-pad>", "<|endoftext|>"],
      repository: "comments",
      charsPerToken: 3,
    },
  },
  {
    // deepseek-ai/DeepSeek-Coder-V2 README. Only the 16B Lite Base is reported to fill in well.
    names: /deepseek-?coder-?v2/,
    architectures: ["deepseek2"],
    base: { name: "deepseek-coder-v2", sizes: ["16b"], mark: "base", tagEnd: "-lite-base-q4_K_M" },
    format: { ...deepseek, id: "deepseek-v2", charsPerToken: 2.9, beyondAscii: 1.15 },
  },
  {
    // deepseek-ai/DeepSeek-Coder README: U+FF5C and U+2581, not ASCII.
    names: /deepseek-?coder/,
    architectures: ["llama"],
    base: { name: "deepseek-coder", sizes: ["1.3b", "6.7b", "33b"], mark: "base", tagEnd: "-base" },
    format: deepseek,
  },
  {
    // meta-llama/codellama llama/generation.py, infilling_prompt_tokens: these blanks and no others.
    names: /code-?llama/,
    architectures: ["llama"],
    unfit: [
      {
        names: /34b|70b|phind/,
        because: "of Code Llama only 7B and 13B were trained for it",
        instead: "codellama:13b-code",
      },
      {
        names: /python/,
        because: "the Python variants of Code Llama were not trained for it",
        instead: "codellama:7b-code",
      },
    ],
    base: { name: "codellama", sizes: ["7b", "13b"], mark: "code", tagEnd: "-code" },
    format: {
      id: "codellama",
      order: "PSM",
      prefix: "<PRE> ",
      suffix: " <SUF>",
      middle: " <MID>",
      stop: ["<EOT>", "<PRE>"],
      tokens: ["<PRE>", "<SUF>", "<MID>", "<EOT>", "<s>", "</s>"],
      repository: "comments",
      charsPerToken: 2.7,
      eachTab: true,
      // arXiv 2308.12950, section 3.2: inside a token it takes SPM or token healing.
      gapsBetweenTokens: true,
    },
  },
  {
    // ai.google.dev, "CodeGemma formatting and system instructions"; the path line after the separator is a convention.
    names: /codegemma/,
    architectures: ["gemma"],
    unfit: [
      {
        // The Ollama library's unmarked tags are the 7B chat tune.
        names: /[-:](it|instruct)([-:.]|$)|^codegemma(:latest|:7b|:7b-v1\.1)?$/,
        because: "the instruction-tuned CodeGemma only chats",
        instead: "codegemma:7b-code",
      },
    ],
    format: {
      id: "codegemma",
      order: "PSM",
      prefix: "<|fim_prefix|>",
      suffix: "<|fim_suffix|>",
      middle: "<|fim_middle|>",
      stop: ["<|file_separator|>", "<eos>"],
      tokens: [
        "<|fim_prefix|>",
        "<|fim_suffix|>",
        "<|fim_middle|>",
        "<|file_separator|>",
        "<bos>",
        "<eos>",
        "<start_of_turn>",
        "<end_of_turn>",
      ],
      repository: {
        otherFiles: "before",
        otherFile: ["<|file_separator|>", "\n"],
        afterFile: "",
        currentFile: { mark: "", path: ["<|file_separator|>", "\n"], place: "before" },
      },
      charsPerToken: 3,
    },
  },
  {
    // mistralai/mistral-common, encode_fim: suffix first, no middle token, no blank after `[PREFIX]`. Files: continuedev.
    names: /codestral/,
    architectures: ["llama", "mistral3"],
    unfit: [
      {
        names: /mamba/,
        because: "Codestral Mamba was not trained for it",
        instead: "codestral:22b",
      },
    ],
    format: {
      id: "codestral",
      order: "SPM",
      prefix: "[PREFIX]",
      suffix: "[SUFFIX]",
      middle: "",
      stop: ["</s>", "[PREFIX]", "[SUFFIX]", "\n+++++ "],
      tokens: ["[PREFIX]", "[SUFFIX]", "[MIDDLE]", "[INST]", "[/INST]", "<s>", "</s>"],
      repository: {
        otherFiles: "in-prefix",
        otherFile: ["+++++ ", "\n"],
        afterFile: "\n",
        currentFile: { mark: "", path: ["+++++ ", "\n"], place: "in-prefix" },
      },
      charsPerToken: 2.6,
      eachTab: true,
    },
  },
  {
    // IBM's Granite 4 documentation, "Fill-in-the-middle": pipes from this version on. No repository format is given.
    names: /granite-?4(?!b)/,
    architectures: ["granite", "granitemoe", "granitehybrid", "granitemoehybrid"],
    format: {
      id: "granite4",
      order: "PSM",
      prefix: "<|fim_prefix|>",
      suffix: "<|fim_suffix|>",
      middle: "<|fim_middle|>",
      stop: ["<|end_of_text|>", "<|fim_pad|>"],
      tokens: [...pipeFimTokens, "<|end_of_text|>", "<|start_of_role|>", "<|end_of_role|>"],
      repository: "comments",
      charsPerToken: 2.7,
    },
  },
  {
    // ggml-org/llama.cpp#12988 (Granite 3.3 vocabulary); granite-code has StarCoder's tokenizer.
    names: /granite-?(code|3|\d+b-code)/,
    architectures: ["granite", "granitemoe", "llama", "starcoder"],
    doubtful: [
      {
        names: /granite-?3(\.[0-2])?(?![.\db])/,
        because: "Granite says that it fills in the middle from 3.3 on",
      },
    ],
    base: { name: "granite-code", sizes: ["3b", "8b", "20b", "34b"], mark: "base", tagEnd: "-base" },
    format: {
      ...starcoder,
      id: "granite",
      stop: ["<|endoftext|>", "<|end_of_text|>", "<filename>"],
      tokens: [...starcoder.tokens, "<|end_of_text|>"],
    },
  },
  {
    // stabilityai/stable-code-3b model card; no file tokens in its vocabulary.
    names: /stable-?code/,
    architectures: ["stablelm"],
    base: { name: "stable-code", sizes: ["3b"], mark: "code", tagEnd: "-code" },
    format: {
      ...starcoder,
      id: "stable-code",
      stop: ["<|endoftext|>"],
      tokens: [...fimTokens, "<|endoftext|>"],
      repository: "comments",
      charsPerToken: 2.9,
    },
  },
  {
    // Seed-Coder paper, 2.2.6: trained suffix first only. No repository format is documented (ByteDance-Seed/Seed-Coder#12).
    names: /seed-?coder/,
    architectures: ["llama"],
    unfit: [
      {
        names: /instruct|reasoning/,
        because: "of Seed-Coder only the base model was trained for it",
        instead: "qwen2.5-coder:7b-base",
      },
    ],
    format: {
      id: "seed-coder",
      order: "SPM",
      prefix: "<[fim-prefix]>",
      suffix: "<[fim-suffix]>",
      middle: "<[fim-middle]>",
      stop: ["<[end▁of▁sentence]>", "<|endoftext|>", "<|file_sep|>"],
      tokens: [
        "<[fim-prefix]>",
        "<[fim-suffix]>",
        "<[fim-middle]>",
        "<[begin▁of▁sentence]>",
        "<[end▁of▁sentence]>",
      ],
      repository: "comments",
      charsPerToken: 2.9,
    },
  },
  {
    // JetBrains/Mellum-4b-base model card: suffix first, `<filename>` before the block, no repository name.
    names: /mellum/,
    architectures: ["llama", "mellum"],
    format: {
      id: "mellum",
      order: "SPM",
      prefix: "<fim_prefix>",
      suffix: "<fim_suffix>",
      middle: "<fim_middle>",
      stop: ["<|endoftext|>", "<filename>"],
      tokens: [...fimTokens, "<reponame>", "<filename>", "<|endoftext|>"],
      repository: {
        otherFiles: "before",
        otherFile: ["<filename>", "\n"],
        afterFile: "",
        currentFile: { mark: "", path: ["<filename>", "\n"], place: "before" },
      },
      charsPerToken: 3,
    },
  },
  {
    // ggml-org/llama.cpp src/llama-vocab.cpp and zed-industries/zed fim.rs.
    names: /glm-?4\.[5-9]/,
    architectures: ["glm4moe", "glm4"],
    format: {
      id: "glm",
      order: "PSM",
      prefix: "<|code_prefix|>",
      suffix: "<|code_suffix|>",
      middle: "<|code_middle|>",
      stop: ["<|endoftext|>", "<|user|>"],
      tokens: [
        "<|code_prefix|>",
        "<|code_suffix|>",
        "<|code_middle|>",
        "<|endoftext|>",
        "<|user|>",
        "<|assistant|>",
      ],
      repository: "comments",
      charsPerToken: 2.7,
    },
  },
  {
    // THUDM/CodeGeeX4 guides/Infilling_guideline.md: a turn of a chat. The language may stay blank; its name is not ours to
    // translate into theirs.
    names: /codegeex-?4/,
    architectures: ["chatglm"],
    format: {
      id: "codegeex4",
      order: "SPM",
      opening: "<|user|>\n",
      prefix: "<|code_prefix|>",
      suffix: "<|code_suffix|>",
      middle: "<|code_middle|><|assistant|>\n",
      stop: ["<|endoftext|>", "<|user|>"],
      tokens: [
        "<|code_prefix|>",
        "<|code_suffix|>",
        "<|code_middle|>",
        "<|endoftext|>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
        "<|observation|>",
      ],
      repository: {
        otherFiles: "before",
        otherFile: ["###REFERENCE:\n###PATH:", "\n"],
        afterFile: "",
        currentFile: { mark: "", path: ["###PATH:", "\n###LANGUAGE:\n###MODE:BLOCK\n"], place: "before" },
      },
      charsPerToken: 2.9,
    },
  },
  {
    // aixcoder-plugin/aiXcoder-7B README and megatron_mini/utils.py: two tokens open the suffix. Paths are comments there.
    names: /aixcoder/,
    architectures: ["llama"],
    format: {
      id: "aixcoder",
      order: "SPM",
      prefix: "<AIX-SPAN-MIDDLE>",
      suffix: "<AIX-SPAN-PRE><AIX-SPAN-POST>",
      middle: "",
      stop: ["</s>", "<AIX-SPAN-PRE>", "<AIX-SPAN-POST>", "<AIX-SPAN-MIDDLE>"],
      tokens: ["<AIX-SPAN-PRE>", "<AIX-SPAN-POST>", "<AIX-SPAN-MIDDLE>", "<s>", "</s>"],
      repository: "comments",
      charsPerToken: 2.7,
      eachTab: true,
    },
  },
  {
    // ggml-org/llama.cpp#19249.
    names: /falcon-?h1.*coder/,
    architectures: ["falcon-h1"],
    format: {
      id: "falcon-h1",
      order: "PSM",
      prefix: "<|prefix|>",
      suffix: "<|suffix|>",
      middle: "<|middle|>",
      stop: ["<|end_of_text|>", "<|endoftext|>"],
      tokens: ["<|prefix|>", "<|suffix|>", "<|middle|>", "<|end_of_text|>", "<|endoftext|>"],
      repository: "comments",
      charsPerToken: 2.7,
    },
  },
];

/**
 * Models that people have and that were not trained to fill in the middle, although some of their vocabularies have the
 * tokens for it. Asked after the families above.
 */
export const untrained: readonly Variant[] = [
  // 01-ai/Yi-Coder and OpenCoder-llm READMEs; ExecRepoBench finds that neither can.
  { names: /yi-?coder/, because: "Yi-Coder was not trained for it" },
  { names: /opencoder/, because: "OpenCoder was not trained for it" },
  // mistralai/mistral-common: the tokens are in the vocabulary, the training was Codestral's alone.
  {
    names: /(mi|mini|magi|dev)stral|mixtral/,
    because: "of Mistral's models only Codestral was trained for it",
  },
  {
    names: /qwen-?(2|2\.5|3)(?![\d.])(?!.*coder)|qwq/,
    because: "of Qwen's models only the coders were trained for it",
  },
  {
    names: /deepseek-?(r1|v2|v3|llm|math)/,
    because: "of DeepSeek's models only the coders were trained for it",
  },
  { names: /gemma/, because: "of Gemma only CodeGemma was trained for it" },
  { names: /llama|alpaca|vicuna/, because: "of the Llamas only Code Llama was trained for it" },
  {
    names: /phi-?\d|smollm|gpt-?oss|wizardcoder|magicoder|glm-?[45]|granite-?[12]/,
    because: "it was not trained for it",
  },
];
