/** A chunk once retrieved for a prompt. */
export interface Snippet {
  readonly path: string;
  /** 1-based and inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  readonly kind: string;
  readonly name: string | null;
  readonly text: string;
  /** Sum of reciprocal ranks; comparable within one retrieval only. */
  readonly score: number;
  /** Which searches found it: `definitions`, `lexical`, `vector`. */
  readonly legs: readonly string[];
}
