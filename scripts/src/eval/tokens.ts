/** One token counter for all methods, ours and the baselines: an estimate by length, as the server makes it for Qwen. */

/** Measured for qwen2.5-coder on code (`server/src/prompt/families.ts`); the eval's server is told that format. */
const CHARS_PER_TOKEN = 3.5;
export const EVAL_FORMAT = "qwen";

/** @returns one for each UTF-16 unit beyond ASCII, which is about what vocabularies made for code spend on it */
export function countTokens(text: string): number {
  let beyond = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) beyond++;
  return Math.ceil((text.length - beyond) / CHARS_PER_TOKEN + beyond);
}

export interface Piece {
  readonly path: string;
  readonly text: string;
}

/** What a snippet costs in a prompt: its text, a line with its path, and the mark between files. */
export const snippetTokens = ({ path, text }: Piece): number =>
  1 + countTokens(`${path}\n${text.endsWith("\n") ? text : `${text}\n`}`);

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

/** @returns the end of `text` that so many tokens pay for, beginning with a whole line where there is one */
export function lastTokens(text: string, tokens: number): string {
  const end = text.slice(-tokens * CHARS_PER_TOKEN);
  return end.length === text.length ? text : end.slice(end.indexOf("\n") + 1);
}

/** @returns the start of `text` that so many tokens pay for, in whole lines where there are any */
export function firstTokens(text: string, tokens: number): string {
  const start = text.slice(0, tokens * CHARS_PER_TOKEN);
  return start.length === text.length
    ? text
    : start.slice(0, Math.max(0, start.lastIndexOf("\n")) || start.length);
}
