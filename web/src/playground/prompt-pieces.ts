/** A prompt cut into its parts, every character once. */
import type { PromptPart, PromptResponse } from "@dhi/core/protocol";

export interface PromptPiece {
  /** `other` is what stands between the parts. */
  readonly kind: PromptPart["kind"] | "other";
  readonly path: string | undefined;
  readonly tokens: number;
  readonly text: string;
}

export function promptPieces({ prompt, parts }: Pick<PromptResponse, "prompt" | "parts">): PromptPiece[] {
  const pieces: PromptPiece[] = [];
  let at = 0;
  const between = (end: number) => {
    if (end > at) pieces.push({ kind: "other", path: undefined, tokens: 0, text: prompt.slice(at, end) });
  };
  for (const { kind, path, tokens, startOffset, endOffset } of parts.toSorted(
    (a, b) => a.startOffset - b.startOffset,
  )) {
    between(startOffset);
    pieces.push({ kind, path, tokens, text: prompt.slice(Math.max(at, startOffset), endOffset) });
    at = Math.max(at, endOffset);
  }
  between(prompt.length);
  return pieces.filter(({ text }) => text !== "");
}

/** Tokens by kind, in the order in which the kinds first appear; without those that cost none. */
export function tokensByKind(
  pieces: readonly PromptPiece[],
): { readonly kind: PromptPiece["kind"]; readonly tokens: number }[] {
  const sums = new Map<PromptPiece["kind"], number>();
  for (const { kind, tokens } of pieces) sums.set(kind, (sums.get(kind) ?? 0) + tokens);
  return [...sums].filter(([, tokens]) => tokens > 0).map(([kind, tokens]) => ({ kind, tokens }));
}
