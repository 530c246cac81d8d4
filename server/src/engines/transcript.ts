/** What an engine has written so far in one call, and what becomes of it. */
import type { Usage } from "@dhi/core/protocol";
import type { Generated, GenerateOptions } from "./engine.ts";

export interface Transcript {
  readonly text: string;
  /**
   * @param logprobs natural log-probabilities of the piece's tokens; empty when the engine does not tell
   * @throws the signal's reason: what has arrived already is read without waiting, so that it must be asked for
   */
  add(piece: string, logprobs?: readonly number[]): void;
  end(how: { readonly finish: "stop" | "length"; readonly usage: Usage }): Generated;
}

export const UNTOLD: Usage = { promptTokens: null, cachedTokens: null, completionTokens: null };

/** Begins now: that is what the first text's time counts from. */
export function createTranscript(
  { onText }: Pick<GenerateOptions, "onText">,
  signal: AbortSignal,
): Transcript {
  const startedAt = performance.now();
  let text = "";
  let firstTokenMs: number | null = null;
  let tokens = 0;
  let logprobSum = 0;
  /** Of tokens whose text is held back: that of the next piece. */
  let held: readonly number[] = [];
  return {
    get text() {
      return text;
    },
    add(piece, logprobs = []) {
      for (const logprob of logprobs) logprobSum += logprob;
      tokens += logprobs.length;
      held = [...held, ...logprobs];
      if (piece) {
        firstTokenMs ??= performance.now() - startedAt;
        text += piece;
        onText?.(piece, held);
        held = [];
      }
      signal.throwIfAborted();
    },
    end: ({ finish, usage }) => ({
      text,
      finish,
      usage,
      meanLogprob: tokens > 0 ? logprobSum / tokens : null,
      confidence: null,
      firstTokenMs,
    }),
  };
}
