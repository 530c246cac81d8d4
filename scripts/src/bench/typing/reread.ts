/** Why an engine had to read some of a prompt again: what stands behind the first change since the prompt before. */

/** Where the first change stands. */
export type Reread =
  /** Another file than that of the prompt before, or the first prompt of all. */
  | "other file"
  /** Other snippets, or in another order. */
  | "snippets"
  /** The text left of the cursor begins elsewhere. */
  | "window"
  /** Only what was typed, and what stands behind it: the text right of the cursor, in families that read it last. */
  | "typed"
  /** The text left of the cursor became another one: a mistake mended, or a text written ahead that was not taken. */
  | "other text";

/** In Qwen's format, which all policies use here. */
export function rereadOf(prompt: string, before: string): Reread {
  const now = partsOf(prompt);
  const then = partsOf(before);
  if (now.path !== then.path) return "other file";
  if (now.snippets !== then.snippets) return "snippets";
  if (now.prefix.startsWith(then.prefix)) return "typed";
  const shared = sharedStart(now.prefix, then.prefix);
  return shared < Math.min(now.prefix.length, then.prefix.length) / 2 ? "window" : "other text";
}

interface Parts {
  readonly snippets: string;
  /** Of the open file; empty for policies that name none. */
  readonly path: string;
  readonly prefix: string;
}

const PREFIX = "<|fim_prefix|>";
const FILE = "<|file_sep|>";

function partsOf(prompt: string): Parts {
  const start = Math.max(0, prompt.lastIndexOf(PREFIX));
  const end = prompt.indexOf("<|fim_suffix|>", start);
  const before = prompt.slice(0, start);
  const file = before.lastIndexOf(FILE);
  return {
    snippets: before.slice(0, Math.max(0, file)),
    path: file < 0 ? "" : before.slice(file + FILE.length),
    prefix: prompt.slice(start + PREFIX.length, end < 0 ? prompt.length : end),
  };
}

/** @returns how many UTF-16 units both begin with */
export function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
