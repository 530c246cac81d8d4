/** How alike two pieces of code are, line by line: a copy is found although it is indented otherwise or has grown. */

/** Some 4 MB. Most of what one keystroke finds the next one finds again. */
const MAX_TEXTS = 1_000;
const kept = new Map<string, ReadonlySet<string>>();

/** @returns trimmed lines that say something; brackets and other lines without a letter or digit are in every file */
export function tellingLines(text: string): ReadonlySet<string> {
  const known = kept.get(text);
  if (known) return known;
  if (kept.size >= MAX_TEXTS) kept.clear();
  const made = readLines(text);
  kept.set(text, made);
  return made;
}

function readLines(text: string): ReadonlySet<string> {
  const lines = new Set<string>();
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (TELLING.test(trimmed)) lines.add(trimmed);
  }
  return lines;
}

/** @returns the Jaccard index: what they share of all that is in either, 0 for two empty sets */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  const shared = countIn(small, large);
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** @returns the share of `part` that is in `whole`, 0 for an empty one */
export const shareIn = (part: ReadonlySet<string>, whole: ReadonlySet<string>): number =>
  part.size === 0 ? 0 : countIn(part, whole) / part.size;

function countIn(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  let count = 0;
  for (const line of part) if (whole.has(line)) count++;
  return count;
}

const TELLING = /[\p{L}\p{N}]/u;
