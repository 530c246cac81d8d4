/** What stands right of the cursor already is never proposed again. */

const MIN_REPEATED = 3;
/** Characters of the rest of a line that are looked at. */
const MAX_REST = 1_000;

/** What editors put behind the cursor, and what ends a line: closing marks and tags, then `=> {`, `: {` or `;`. */
const LINE_END = /^(?:[)\]}>"'`,;:]|<\/[\w.:-]*>)*(?:=>)?\{?$/;

/**
 * Whether the rest of the line leaves anything to add. Where code goes on right of the cursor, a guess from what stands
 * left of it alone only doubles or breaks that code: all 36 such guesses at 3,000 cursors in two repositories did.
 */
export const isAtLineEnd = (suffix: string): boolean =>
  LINE_END.test(lineOf(suffix.slice(0, MAX_REST)).replaceAll(/\s/g, ""));

/**
 * @param text continuation of the prefix within its line
 * @returns the text up to where the rest of the line takes over; empty when it repeats that rest or the line below
 */
export function leaveOutRightOfCursor(text: string, prefix: string, suffix: string): string {
  const rest = lineOf(suffix).trim();
  if (rest !== "") {
    if (rest.startsWith(text.trim())) return "";
    const at = text.lastIndexOf(rest);
    if (at >= 0) return text.slice(0, at);
    return text.slice(0, text.length - overlap(text, rest));
  }
  const line = (prefix.slice(prefix.lastIndexOf("\n") + 1) + text).trim();
  const below = lineOf(suffix.slice(lineOf(suffix).length).trimStart()).trim();
  return line.length >= MIN_REPEATED && below.startsWith(line) ? "" : text;
}

const lineOf = (text: string): string => {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
};

/** Length of the longest end of `text` that `rest` starts with. */
function overlap(text: string, rest: string): number {
  let length = Math.min(text.length, rest.length);
  while (length > 0 && !text.endsWith(rest.slice(0, length))) length--;
  return length;
}
