/** The part of the open file that a number of tokens pays for. */
import { costOf, fittingLength } from "./estimate-tokens.ts";
import type { FimFormat } from "./fim-format.ts";
import { neutralise } from "./neutralise.ts";

export { estimateTokens } from "./estimate-tokens.ts";

/** What the prefix keeps when snippets compete for the room. */
export const MIN_PREFIX_TOKENS = 400;
/** Right of the cursor little matters beyond the next statements. */
const MAX_SUFFIX_TOKENS = 250;
/** In PSM order all of it is read again at each keystroke: no more than so much of a full prompt. */
const MAX_SUFFIX_SHARE_PSM = 1 / 18;
/** What it may take of a small budget. */
const SUFFIX_SHARE = 0.25;
/** A prefix window that moved with each line would give the engine's cache nothing to keep. */
export const HOP_TOKENS = 256;
/** So many more characters a token than the family's ratio says. */
const CHEAP_CODE = 1.5;

/**
 * The end of `prefix` that fits, starting at a line start, special tokens neutralised.
 *
 * The start moves in hops counted from the start of the file, so that typing leaves it where it is until a hop's worth
 * of text has come. Looks at no more text than the budget pays for.
 */
export function prefixWindow(prefix: string, maxTokens: number, format: FimFormat): string {
  const reach = reachOf(maxTokens, format);
  // One character more than can be shown, to see whether the first one starts a line.
  const offset = Math.max(0, prefix.length - reach - 1);
  const tail = neutralise(prefix.slice(offset), format);
  if (prefix.length <= reach && costOf(tail, format) <= maxTokens) return tail;
  if (reach === 0) return "";

  const hopTokens = Math.min(HOP_TOKENS, Math.max(maxTokens - MIN_PREFIX_TOKENS, maxTokens / 8));
  let hop = Math.max(1, Math.floor(hopTokens * format.charsPerToken));
  let fitting = afterHops(tail, offset, hop, maxTokens, format);
  // Text that costs more than the ratio says (CJK) can lose far more than a hop: take finer ones.
  while (hop > 16 && costOf(tail.slice(fitting), format) < maxTokens - 2 * hopTokens) {
    hop = Math.floor(hop / 2);
    fitting = afterHops(tail, offset, hop, maxTokens, format);
  }
  return tail.slice(lineStart(tail, fitting, Math.min(MIN_PREFIX_TOKENS, maxTokens / 2), format));
}

/**
 * The same from a place where a window began, special tokens neutralised.
 *
 * @param start in UTF-16 units
 * @returns `undefined` when that is no line start any more, does not fit, or shows far less than would fit
 */
export function windowFrom(
  prefix: string,
  start: number,
  maxTokens: number,
  format: FimFormat,
): string | undefined {
  const length = prefix.length - start;
  if (length <= 0 || length > reachOf(maxTokens, format)) return undefined;
  if (start > 0 && prefix[start - 1] !== "\n") return undefined;
  const window = neutralise(prefix.slice(start), format);
  const tokens = costOf(window, format);
  if (tokens > maxTokens) return undefined;
  return start === 0 || tokens >= maxTokens - 2 * HOP_TOKENS ? window : undefined;
}

/** @param room tokens that everything but the sentinels takes */
export const mostSuffix = (room: number, { order }: FimFormat): number =>
  Math.floor(Math.min(MAX_SUFFIX_TOKENS, room * (order === "PSM" ? MAX_SUFFIX_SHARE_PSM : SUFFIX_SHARE)));

/**
 * The start of `suffix` that fits, ending at a line end, special tokens neutralised. Looks at no more text than the
 * budget pays for.
 */
export function suffixWindow(suffix: string, maxTokens: number, format: FimFormat): string {
  const reach = reachOf(maxTokens, format);
  const head = neutralise(suffix.slice(0, reach + 1), format);
  if (head.length <= reach && costOf(head, format) <= maxTokens) return head;
  const end = fittingLength(head.slice(0, reach), maxTokens, format);
  const lineEnd = end > 0 ? head.lastIndexOf("\n", end - 1) + 1 : 0;
  return head.slice(0, lineEnd > 0 ? lineEnd : wholeCharacter(head, end, -1));
}

/** @returns how much text is looked at: that of cheap code, with long words and deep indents, and not of a 5 MB file */
const reachOf = (maxTokens: number, { charsPerToken }: FimFormat): number =>
  Math.max(0, Math.floor(maxTokens * charsPerToken * CHEAP_CODE));

/**
 * @param offset of `tail` in its file
 * @returns where in `tail` the first whole hop lies from which on the text fits
 */
function afterHops(tail: string, offset: number, hop: number, maxTokens: number, format: FimFormat): number {
  let at = Math.ceil((offset + 1) / hop) * hop - offset;
  while (at < tail.length && costOf(tail.slice(at), format) > maxTokens) at += hop;
  return Math.min(at, tail.length);
}

/** The next line start, unless the way there takes the window below `minTokens`: then `at`, in the middle of a line. */
function lineStart(tail: string, at: number, minTokens: number, format: FimFormat): number {
  const next = tail.indexOf("\n", at - 1) + 1;
  if (next > 0 && costOf(tail.slice(next), format) >= minTokens) return next;
  return wholeCharacter(tail, at, 1);
}

/** Moves a cut off the middle of a surrogate pair or a CRLF. */
function wholeCharacter(text: string, at: number, step: 1 | -1): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  const inPair = (before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00;
  return inPair || (before === 13 && after === 10) ? at + step : at;
}
