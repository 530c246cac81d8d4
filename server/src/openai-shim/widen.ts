/** An excerpt around the cursor → as much of its file as is known, for editors that send some 1,500 characters. */
import type { AroundCursor } from "./parse-fim-prompt.ts";

/** By which the excerpt's edges are found in the file. */
const EDGE_LINES = 3;
/** Shorter edges are in many places. */
const MIN_EDGE_CHARS = 20;

/**
 * What the excerpt has counts, also where the file has it otherwise; only what is beyond its edges is added.
 *
 * @param file its text, which may be older than the excerpt
 */
export function widen({ prefix, suffix }: AroundCursor, file: string): AroundCursor {
  // Editors hold their text with these line ends.
  const text = file.replaceAll("\r\n", "\n");
  const head = firstLines(prefix);
  const tail = lastLines(suffix);
  const start = onlyPlaceOf(head, text);
  const end = onlyPlaceOf(tail, text);
  const isOrdered = start === undefined || end === undefined || start < end;
  return {
    prefix: start !== undefined && isOrdered ? text.slice(0, start) + prefix : prefix,
    suffix: end !== undefined && isOrdered ? suffix + text.slice(end + tail.length) : suffix,
  };
}

function onlyPlaceOf(edge: string, text: string): number | undefined {
  if (edge.trim().length < MIN_EDGE_CHARS) return undefined;
  const at = text.indexOf(edge);
  return at >= 0 && at === text.lastIndexOf(edge) ? at : undefined;
}

/** Whole ones, so that the cursor's own is none of them. */
function firstLines(text: string): string {
  let end = 0;
  for (let lines = 0; lines < EDGE_LINES; lines++) {
    const next = text.indexOf("\n", end);
    if (next < 0) break;
    end = next + 1;
  }
  return text.slice(0, end);
}

/** The same from the end; the first of them begins behind a line end. */
function lastLines(text: string): string {
  let start = text.length;
  for (let lines = 0; lines < EDGE_LINES; lines++) {
    const before = text.lastIndexOf("\n", start - 2);
    if (before < 0) break;
    start = before + 1;
  }
  return text.slice(start);
}
