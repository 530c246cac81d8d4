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
  const nonBlankBefore = new Uint32Array(text.length + 1);
  for (let i = 0, count = 0; i < text.length; i++) {
    if (!isBlank(text.charCodeAt(i))) count++;
    nonBlankBefore[i + 1] = count;
  }
  const weight = (start: number, end: number) => (nonBlankBefore[end] ?? 0) - (nonBlankBefore[start] ?? 0);
  const lineAt = (offset: number) => {
    let [low, high] = [0, lineStarts.length];
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

/** What `\s` matches, without a regular expression per character. */
function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0xa0) return false;
  return (
    code === 0xa0 ||
    code === 0xfeff ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}
