/** What stands right of the cursor already is never proposed again. */

const MIN_REPEATED = 3;

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
