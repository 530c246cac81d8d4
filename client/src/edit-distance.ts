/** How much of one text is left in another. */

/** Longer texts are compared by their beginning: the time grows with the square of the length. */
const MOST_CHARS = 2_000;

/**
 * White space counts as one blank, so that a formatter changes nothing.
 *
 * @returns 1 − edit distance ÷ length of `text`, 0 to 1
 */
export function keptOf(text: string, now: string): number {
  const [before, after] = [plain(text), plain(now)];
  if (before.length === 0) return 1;
  return Math.max(0, 1 - editDistance(before, after) / before.length);
}

const plain = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, MOST_CHARS);

/** Levenshtein's. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
