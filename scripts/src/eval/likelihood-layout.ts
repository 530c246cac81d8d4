/**
 * What a model without infill tokens is asked: how likely is the code that really stands at the cursor? The snippets come
 * first, then the open file's path, the end of the prefix, and the continuation. Only the snippets differ by method.
 */
import { languageOf } from "@dhi/core/languages";
import type { EvalSnippet } from "./metrics.ts";

export interface LikelihoodText {
  /** Snippets, each beneath a comment with its path, in the order of paths and lines as in the server's prompts; empty for none. */
  readonly context: string;
  /** The open file's path and the end of the prefix. */
  readonly open: string;
  readonly continuation: string;
}

/**
 * Some 200 tokens: what the open file tells is not what is measured. In characters, so that a better estimate of tokens
 * changes no prompt and with it all that is known.
 */
const PREFIX_CHARS = 640;

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
    open: `${mark} ${cursor.path}\n${endOf(cursor.prefix)}`,
    continuation: cursor.continuation,
  };
}

/** From the start of a line, where that leaves anything. */
function endOf(prefix: string): string {
  if (prefix.length <= PREFIX_CHARS) return prefix;
  const end = prefix.slice(-PREFIX_CHARS);
  return end.slice(end.indexOf("\n") + 1);
}
