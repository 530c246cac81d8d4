/** Cuts the end of the middle that the rest of the cursor's line says again. */
import { closesTooMuch, hasBracket } from "./brackets.ts";
import { afterCursor, beforeCursor } from "./cursor-line.ts";
import { literalIn } from "./scan.ts";
import type { Step } from "./step.ts";
import { surroundingsOf } from "./surroundings.ts";

const WORD = /[\p{L}\p{N}_$]/u;
/** Closing marks as editors insert them, and the one that ends the line. */
const CLOSING_TAIL = /^[)\]}>"'`\s]*([;,])$/;

export const trimSuffixOverlap: Step = (text, { request }) => {
  const after = afterCursor(request.suffix).trimEnd();
  if (after.trim() === "" || text.includes("\n")) return text;
  const before = beforeCursor(request.prefix);
  const closes = (middle: string) => closesTooMuch(before, middle, after);

  const end = text.trimEnd();
  const overlaps = [...overlapsOf(text, after), ...(end === text ? [] : overlapsOf(end, after))];
  const around = surroundingsOf(request);
  const isWords = around !== undefined && literalIn(around.open) !== undefined;
  const repeated = overlaps.findLast((middle) => tells(text.slice(middle.length), after, isWords));
  // With brackets: no more than what is closed twice, since `max(b)` in `sum(█)` keeps its own `)`.
  const kept = closes(text)
    ? [...overlaps, ...repeatsOf(text, after)].find((middle) => !closes(middle))
    : (repeated ??
      overlaps.findLast((middle) => !hasBracket(text.slice(middle.length))) ??
      withoutLineEnder(text, after));
  if (kept === undefined || kept.length === text.length) return text;
  return kept.trim() === "" ? { drop: "repeats-suffix" } : kept;
};

/** What is left of `text` without an end that is the beginning of `after`; shortest overlap first. */
function overlapsOf(text: string, after: string): string[] {
  const kept: string[] = [];
  for (let length = 1; length <= Math.min(text.length, after.length); length++) {
    const at = text.length - length;
    if (text.startsWith(after.slice(0, length), at) && !isInsideWords(text, at, after[length])) {
      kept.push(text.slice(0, at));
    }
  }
  return kept;
}

/** So much of the rest of a line says which it is, brackets or not. */
const TELLING_LENGTH = 3;
const OPENS = /[([{]/;
const ONLY_CLOSES = /^[)\]}>"'`\s;,]*$/;

/**
 * Whether `overlap` must be the rest of the line: all of it, if that is more than closing marks, or a good part.
 *
 * @param isWords in strings and comments marks close nothing
 */
function tells(overlap: string, after: string, isWords: boolean): boolean {
  const said = overlap.trim();
  if (said === after.trim())
    return (said.length > 1 || OPENS.test(said)) && (isWords || !ONLY_CLOSES.test(said));
  return (
    (said.length === 1 && OPENS.test(said)) || (said.length >= TELLING_LENGTH && /[\p{L}\p{N}]/u.test(said))
  );
}

/** `self` does not overlap `foo`, though one ends as the other begins. */
const isInsideWords = (text: string, at: number, next = ""): boolean =>
  at > 0 && [text.charAt(at - 1), ...text.slice(at), next].every((c) => WORD.test(c));

/** What is left before all of `after` stands in `text`, which goes on behind it. */
function repeatsOf(text: string, after: string): string[] {
  const at = after.length > 1 ? text.indexOf(after) : -1;
  return at < 0 ? [] : [text.slice(0, at)];
}

/** `max(b);` before `);` needs no `;`. */
function withoutLineEnder(text: string, after: string): string | undefined {
  const ender = CLOSING_TAIL.exec(after)?.[1];
  const end = text.trimEnd();
  return ender && end.endsWith(ender) ? end.slice(0, -1) : undefined;
}
