import type { LegName } from "@dhi/core/protocol";

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
  /** What can stand for the text where there is no room for it, such as a function's head; `null` when nothing can. */
  readonly signature: string | null;
  /** Sum of reciprocal ranks; comparable within one retrieval only. */
  readonly score: number;
  /** Which ones found it. */
  readonly legs: readonly LegName[];
  /** At which place, from 0, each of them has it. */
  readonly ranks: ReadonlyMap<LegName, number>;
}
