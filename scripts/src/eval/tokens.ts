/** One token counter for all methods, ours and the baselines: the server's own estimate, for Qwen. */
import { estimateTokens } from "@dhi/server/prompt/estimate-tokens";
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

const mark = "<|file_sep|>";

function requiredFormat(id: string) {
  const found = formatById(id);
  if (!found) throw new Error(`the server has no format "${id}"`);
  return found;
}
