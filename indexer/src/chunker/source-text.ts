/** A file's text with its lines and weights: what every cut is decided by. Offsets are UTF-16 units. */

/** A chunk holds at most this many non-blank characters, so that a definition of some 60 lines stays whole. */
export const MAX_CHUNK_WEIGHT = 2_000;

/** Whitespace does not weigh, but an embedder still reads it: no chunk is longer than this, blanks included. */
export const MAX_CHUNK_LENGTH = 4 * MAX_CHUNK_WEIGHT;

export interface SourceText {
  readonly text: string;
  /** Offset at which each line starts. A line ends after its `\n`; a lone `\r` does not end one, as in git. */
  readonly lineStarts: readonly number[];
  /** 1-based number of the line that holds the offset. */
  lineAt(offset: number): number;
  /** Start of the line that holds the offset. */
  lineStart(offset: number): number;
  /** Non-blank characters of `[start, end)`. */
  weight(start: number, end: number): number;
  /** Whether `[start, end)` may be one chunk. */
  fits(start: number, end: number): boolean;
}

export function readSource(text: string): SourceText {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  const blocks = new Uint32Array((text.length >> BLOCK_BITS) + 1);
  for (let i = 0, count = 0; i <= text.length; i++) {
    if ((i & BLOCK_MASK) === 0) blocks[i >> BLOCK_BITS] = count;
    count += 1 - blankAt(text, i);
  }
  const weightBefore = (offset: number) => {
    const block = Math.min(offset >> BLOCK_BITS, blocks.length - 1);
    let count = blocks[block] ?? 0;
    for (let i = block << BLOCK_BITS; i < offset; i++) count += 1 - blankAt(text, i);
    return count;
  };
  const weight = (start: number, end: number) => weightBefore(end) - weightBefore(start);
  const lineAt = (offset: number) => {
    let low = 0;
    let high = lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  return {
    text,
    lineStarts,
    lineAt,
    lineStart: (offset) => lineStarts[lineAt(offset) - 1] ?? 0,
    weight,
    fits: (start, end) => weight(start, end) <= MAX_CHUNK_WEIGHT && end - start <= MAX_CHUNK_LENGTH,
  };
}

/** Non-blank characters are counted up to the start of each block of 32: one number for each offset would be slower. */
const BLOCK_BITS = 5;
const BLOCK_MASK = (1 << BLOCK_BITS) - 1;

/** 1 for what `\s` matches, without a regular expression per character. */
const BLANKS = new Uint8Array(0x10000);
for (const [first, last] of [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const)
  BLANKS.fill(1, first, last + 1);

const blankAt = (text: string, at: number): number => BLANKS[text.charCodeAt(at)] ?? 0;
