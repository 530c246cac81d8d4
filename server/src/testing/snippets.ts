/** Snippets made by hand, for tests of what is done with them. */
import type { LegName } from "@dhi/core/protocol";
import type { Snippet } from "../retrieval/snippet.ts";

export interface SnippetParts extends Partial<Omit<Snippet, "path" | "text" | "endLine" | "ranks">> {
  /** The place of each leg in `legs`, from 0. */
  readonly rank?: number;
}

/** Found first by the lexical leg, and as many lines long as its text, unless said otherwise. */
export function snippet(path: string, text: string, { rank = 0, ...more }: SnippetParts = {}): Snippet {
  const { startLine = 1, legs = ["lexical"] satisfies LegName[] } = more;
  return {
    ...{ path, text, startLine, endLine: startLine + text.replace(/\n$/, "").split("\n").length - 1 },
    ...{ language: "python", kind: "function", name: null, signature: null, score: 1, legs },
    ...{ ranks: new Map(legs.map((leg) => [leg, rank])) },
    ...more,
  };
}
