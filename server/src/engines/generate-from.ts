/** A call whose text has to begin with a word that the editor has already: what is said of it leaves the word out. */
import { UpstreamError } from "@dhi/core/upstream-error";
import type { Engine, EngineInput, Generated, GenerateOptions, OnText } from "./engine.ts";

/**
 * @param engine that obeys a grammar
 * @param word that the prompt ends before
 * @throws {UpstreamError} when it does not obey; all else as {@link Engine.generate}
 */
export async function generateFrom(
  engine: Engine,
  word: string,
  input: EngineInput,
  options: GenerateOptions,
  signal: AbortSignal,
): Promise<Generated> {
  let text = "";
  let firstTokenMs: number | null = null;
  const startedAt = performance.now();
  const onText: OnText = (piece, logprobs) => {
    const seen = Math.max(0, word.length - text.length);
    text += piece;
    const rest = piece.slice(seen);
    if (!rest || !text.startsWith(word)) return;
    firstTokenMs ??= performance.now() - startedAt;
    options.onText?.(rest, logprobs);
  };
  const begun = { ...options, grammar: grammarFrom(word), onText };
  const generated = await engine.generate(input, begun, signal);
  if (!generated.text.startsWith(word) && !word.startsWith(generated.text))
    throw new UpstreamError(engine.name, "the text does not begin as the grammar has it");
  return { ...generated, text: generated.text.slice(word.length), firstTokenMs };
}

/** @returns GBNF for any text that begins with the word */
const grammarFrom = (word: string): string => `root ::= ${JSON.stringify(word)} [^\\x00]*`;
