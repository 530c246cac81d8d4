/**
 * Token healing. A prompt that ends inside a word ends where the model has hardly ever seen a token end. So it is cut back
 * to before the word, and what the model then writes has to begin with what was cut: by a grammar where the engine obeys
 * one, else by looking. While a word is typed, its prompt stays the same byte for byte.
 */
import type { Engine } from "../engines/engine.ts";
import type { BuiltPrompt } from "./build-prompt.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { FimFormat } from "./fim-format.ts";

/** Longer ones are data. */
const MAX_WORD = 64;
/** With the blank before it, which most tokenizers join with the word behind it. */
const BEGUN_WORD = /(?:(?<![\p{L}\p{N}\p{M}_$]) )?(?<![\p{L}\p{N}\p{M}_$])[\p{L}_$][\p{L}\p{N}\p{M}_$]*$/u;

/** @returns the word that the cursor stands in or right of, as far as it stands there; empty when there is none */
export function begunWord(prefix: string): string {
  const near = prefix.slice(-MAX_WORD - 2);
  const word = BEGUN_WORD.exec(near)?.[0] ?? "";
  return word.length > MAX_WORD ? "" : word;
}

/** @returns the begun word that an engine's first prompt ends before; empty where it would gain nothing */
export function wordToWrite(
  prefix: string,
  { readsPrompt, obeysGrammar }: Pick<Engine, "readsPrompt" | "obeysGrammar">,
  { gapsBetweenTokens }: Pick<FimFormat, "gapsBetweenTokens">,
): string {
  return readsPrompt && (obeysGrammar || gapsBetweenTokens) ? begunWord(prefix) : "";
}

/** @returns the same as {@link promptBefore}, with its parts and what they cost */
export function builtBefore(
  built: Pick<BuiltPrompt, "prompt" | "parts">,
  length: number,
  format: FimFormat,
): Pick<BuiltPrompt, "prompt" | "parts" | "tokens"> {
  const prompt = promptBefore(built, length);
  const gone = built.prompt.length - prompt.length;
  let moved = 0;
  const parts = built.parts.map((part) => {
    const startOffset = part.startOffset - moved;
    if (part.kind === "prefix") moved += gone;
    const endOffset = part.endOffset - moved;
    if (part.kind !== "prefix") return { ...part, startOffset, endOffset };
    const tokens = estimateTokens(prompt.slice(startOffset, endOffset), format);
    return { ...part, startOffset, endOffset, tokens };
  });
  return { prompt, parts, tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0) };
}

/** @returns the prompt as it would be had the last `length` characters of the prefix not been typed yet */
export function promptBefore(
  { prompt, parts }: Pick<BuiltPrompt, "prompt" | "parts">,
  length: number,
): string {
  const prefix = parts.find(({ kind }) => kind === "prefix");
  if (!prefix) return prompt;
  const end = Math.max(prefix.startOffset, prefix.endOffset - length);
  return prompt.slice(0, end) + prompt.slice(prefix.endOffset);
}
