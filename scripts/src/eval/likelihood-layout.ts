/**
 * What a model without infill tokens is asked: how likely is the code that really stands at the cursor? The snippets come
 * first, then the open file's path, the end of the prefix, and the continuation. Only the snippets differ by method.
 */
import { languageOf } from "@dhi/core/languages";
import type { EvalSnippet } from "./metrics.ts";
import { lastTokens } from "./tokens.ts";

export interface LikelihoodText {
  /** Snippets, each beneath a comment with its path, in the order of paths and lines as in the server's prompts; empty for none. */
  readonly context: string;
  /** The open file's path and the end of the prefix. */
  readonly open: string;
  readonly continuation: string;
}

/** Small and the same for all: what the open file tells is not what is measured. */
const PREFIX_TOKENS = 192;

export function layOut(
  cursor: { readonly path: string; readonly prefix: string; readonly continuation: string },
  snippets: readonly EvalSnippet[],
): LikelihoodText {
  const mark = languageOf(cursor.path).lineComment ?? "//";
  const block = ({ path, text }: EvalSnippet) =>
    `${mark} ${path}\n${text}${text.endsWith("\n") ? "" : "\n"}\n`;
  const inOrder = snippets.toSorted((a, b) =>
    a.path === b.path ? a.startLine - b.startLine : a.path < b.path ? -1 : 1,
  );
  return {
    context: inOrder.map(block).join(""),
    open: `${mark} ${cursor.path}\n${lastTokens(cursor.prefix, PREFIX_TOKENS)}`,
    continuation: cursor.continuation,
  };
}
