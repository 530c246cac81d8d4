/** What the cursor stands in, read off indentation: the same while a function is typed, in any language, in any state. */

/** Deeper than class, method and one more, a scope would change within what a person thinks of as one place. */
const MAX_DEPTH = 3;
/** A branch or a loop is no place of its own. */
const CONTROL =
  /^(if|elif|else|for|foreach|while|do|loop|switch|case|default|select|match|try|except|catch|finally|with|unsafe|return)\b/;
/** The line above goes on: a chain of calls, an operator, a condition. */
const CONTINUES = /^(\??\.|&&|\|\||\?\?|[-+*/%|&?:=] |and\b|or\b)/;
/** Nothing but brackets opens data, and has no name. */
const HAS_NAME = /[\p{L}_]/u;
/** Longer lines are data. */
const MAX_HEADER_CHARS = 200;

/**
 * @param above the lines above the cursor and the part of its own that stands left of it, in order
 * @returns the lines that open what encloses the cursor, the outermost first, joined by line breaks; `""` at the top level
 */
export function scopeOf(above: readonly string[]): string {
  const headers: string[] = [];
  const own = above.at(-1) ?? "";
  let depth = indentOf(own);
  let isContinued = CONTINUES.test(own.trim());
  for (let i = above.length - 2; i >= 0 && depth > 0; i--) {
    const line = above[i] ?? "";
    const text = line.trim();
    const indent = indentOf(line);
    if (text === "" || indent >= depth) continue;
    // `) {` ends what opens further up, at the same depth.
    if (/^[)\]}]/.test(text)) {
      depth = indent + 1;
      continue;
    }
    const continues = CONTINUES.test(text);
    const isPlace = HAS_NAME.test(text) && !CONTROL.test(text) && !continues && !isContinued;
    if (isPlace) headers.push(text.slice(0, MAX_HEADER_CHARS));
    isContinued = continues;
    depth = indent;
  }
  return headers.reverse().slice(0, MAX_DEPTH).join("\n");
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
