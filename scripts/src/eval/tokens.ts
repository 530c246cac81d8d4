/** One token counter for all methods, ours and the baselines: the server's own estimate, for Qwen. */
import { estimateTokens, fittingLength } from "@dhi/server/prompt/estimate-tokens";
import { formatById } from "@dhi/server/prompt/fim-format";

/** The eval's server is told to write this format. */
export const EVAL_FORMAT = "qwen";

const format = requiredFormat(EVAL_FORMAT);

export interface Piece {
  readonly path: string;
  readonly text: string;
}

export const countTokens = (text: string): number => estimateTokens(text, format);

/** What a snippet costs in a prompt: its text, a line with its path, and the mark between files. */
export const snippetTokens = ({ path, text }: Piece): number =>
  countTokens(`${mark}${path}\n${text.endsWith("\n") ? text : `${text}\n`}`);

/** Best first until nothing more fits; a snippet is whole or left out. */
export function packInto<T extends Piece>(budgetTokens: number, snippets: readonly T[]): T[] {
  let left = budgetTokens;
  return snippets.filter((snippet) => {
    const tokens = snippetTokens(snippet);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

/** @returns the whole lines at the end of `text` that so many tokens pay for */
export function lastTokens(text: string, tokens: number): string {
  const lines = text.split("\n");
  let start = lines.length;
  for (let left = tokens; start > 0; start--) {
    left -= countTokens(`${lines[start - 1]}\n`);
    if (left < 0) break;
  }
  return lines.slice(start).join("\n");
}

/** @returns the start of `text` that so many tokens pay for, in whole lines where there are any */
export function firstTokens(text: string, tokens: number): string {
  const start = text.slice(0, fittingLength(text, tokens, format));
  const lineEnd = start.length < text.length ? start.lastIndexOf("\n") : -1;
  return lineEnd > 0 ? start.slice(0, lineEnd) : start;
}

const mark = "<|file_sep|>";

function requiredFormat(id: string) {
  const found = formatById(id);
  if (!found) throw new Error(`the server has no format "${id}"`);
  return found;
}
