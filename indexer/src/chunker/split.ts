/** Cuts what is too large for one chunk, at the best line there is. */
import type { SourceText } from "./source-text.ts";

export interface SplitOptions {
  /** Pieces aim at no more than this weight. */
  readonly goal: number;
  /** How deep inside the code a line starts: the cut goes before the shallowest. `Infinity` for no place to cut. */
  depthOf(lineStart: number): number;
}

/** A piece is at least this share of the goal before a shallow border ends it. */
const MIN_FILL = 0.5;
/** The last piece is not left with less than this share of the goal, such as a lone `}`. */
const MIN_REST = 0.125;

/** @returns where each piece ends; the last is `end`. Each piece fits, and none ends inside `\r\n` or a surrogate pair. */
export function splitRange(
  source: SourceText,
  start: number,
  end: number,
  { goal, depthOf }: SplitOptions,
): number[] {
  const fits = (from: number, to: number) => source.weight(from, to) <= goal && source.fits(from, to);
  const ends: number[] = [];
  let from = start;
  while (!fits(from, end)) {
    const borders = lineStartsAfter(source, from, end, (to) => fits(from, to));
    const leavesRest = borders.filter((to) => source.weight(to, end) >= goal * MIN_REST);
    const usable = leavesRest.length > 0 ? leavesRest : borders;
    const filled = usable.filter((to) => source.weight(from, to) >= goal * MIN_FILL);
    from = shallowest(filled, depthOf) ?? usable.at(-1) ?? endOfLongLine(source, from, end);
    ends.push(from);
  }
  if (from < end) ends.push(end);
  return ends;
}

function lineStartsAfter(
  { lineStarts, lineAt }: SourceText,
  from: number,
  end: number,
  fits: (to: number) => boolean,
): number[] {
  const found: number[] = [];
  for (let line = lineAt(from); line < lineStarts.length; line++) {
    const to = lineStarts[line] ?? end;
    if (to >= end || !fits(to)) break;
    found.push(to);
  }
  return found;
}

/** The last of the shallowest. */
function shallowest(borders: readonly number[], depthOf: (lineStart: number) => number): number | undefined {
  let best: number | undefined;
  let bestDepth = Number.POSITIVE_INFINITY;
  for (const border of borders) {
    const depth = depthOf(border);
    if (depth <= bestDepth) [best, bestDepth] = [border, depth];
  }
  return best;
}

/** The line starts at `from` and outweighs the goal: it stays whole when a chunk can hold it, else it is cut between characters. */
function endOfLongLine({ text, lineAt, lineStarts, fits }: SourceText, from: number, end: number): number {
  const lineEnd = Math.min(end, lineStarts[lineAt(from)] ?? end);
  if (fits(from, lineEnd)) return lineEnd;
  let [low, high] = [from + 1, lineEnd];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(from, middle)) low = middle;
    else high = middle;
  }
  return isInsidePair(text, low) ? low - 1 : low;
}

const isInsidePair = (text: string, at: number) =>
  (isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at))) ||
  (text[at - 1] === "\r" && text[at] === "\n");
const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;
