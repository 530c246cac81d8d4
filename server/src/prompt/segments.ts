/** A text in pieces small enough to be chosen one by one. */

/** Lines of a text, numbered as in its file. */
export interface Segment {
  /** 1-based and inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Without blank lines at either end, and without the last line end. */
  readonly text: string;
}

/** From here on a blank line ends a segment: statements that belong together mostly stand together. */
const MIN_LINES = 5;
/** RepoCoder and CrossCodeEval (arXiv 2303.12570, 2310.11248) cut windows of 10 lines or more. */
const MAX_LINES = 10;

/** @returns in order; together all non-blank lines of the text */
export function segmentsOf(text: string, startLine: number): Segment[] {
  const segments: Segment[] = [];
  const lines = text.split("\n");
  let from = 0;
  for (let at = 1; at <= lines.length; at++) {
    const length = at - from;
    const isEnd = at === lines.length || length >= MAX_LINES;
    if (!isEnd && !(length >= MIN_LINES && isBlank(lines[at]))) continue;
    const segment = trimmed(lines, from, at, startLine);
    if (segment) segments.push(segment);
    from = at;
  }
  return segments;
}

function trimmed(lines: readonly string[], from: number, to: number, startLine: number): Segment | undefined {
  let first = from;
  let end = to;
  while (first < end && isBlank(lines[first])) first++;
  while (end > first && isBlank(lines[end - 1])) end--;
  if (first === end) return undefined;
  const text = lines.slice(first, end).join("\n").replace(/\r$/, "");
  return { startLine: startLine + first, endLine: startLine + end - 1, text };
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";
