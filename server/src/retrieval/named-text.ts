/**
 * Texts as legs compare them: lines, and the names on each. Names are numbers here: a keystroke looks for some thirty of them
 * in a hundred texts, and as strings all the others were most of what this process kept and cleaned up.
 */
import { COMMON_WORDS } from "@dhi/core/identifiers";
import { ownCopy } from "../own-copy.ts";

export interface NamedText {
  readonly text: string;
  /** Where each line begins, and one more, as if another line followed the last. */
  readonly lineStarts: Int32Array;
  /** Of each name, in the order of the text, repeats included: its {@link nameKey}, … */
  readonly keys: Int32Array;
  /** … the index of its line, … */
  readonly lines: Int32Array;
  /** … and where it begins. */
  readonly starts: Int32Array;
}

/** Some 20 MB of texts. */
const MAX_CHARS = 8_000_000;
/** Longer lines are data. */
const MAX_LINE_CHARS = 1_000;

const kept = new Map<string, NamedText>();
let keptChars = 0;

/**
 * Made once per text, since a keystroke asks for many again.
 *
 * @param key the same for the same text: its hash
 * @param read called when the text is not known
 */
export function namedText(key: string, read: () => string): NamedText {
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const made = toNamedText(read());
  kept.set(key, made);
  keptChars += made.text.length;
  for (const [oldest, { text }] of kept) {
    if (keptChars <= MAX_CHARS || oldest === key) break;
    kept.delete(oldest);
    keptChars -= text.length;
  }
  return made;
}

export function toNamedText(text: string): NamedText {
  const lineStarts: number[] = [];
  const names: FoundNames = { keys: [], lines: [], starts: [] };
  const isAscii = !NOT_ASCII.test(text);
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const span = { start, end: Math.min(end, start + MAX_LINE_CHARS), line: lineStarts.length };
    addNames(names, text, span, isAscii);
    lineStarts.push(start);
    start = end + 1;
  }
  lineStarts.push(text.length + 1);
  return {
    text,
    lineStarts: new Int32Array(lineStarts),
    keys: new Int32Array(names.keys),
    lines: new Int32Array(names.lines),
    starts: new Int32Array(names.starts),
  };
}

/** Of `Invoice` and `invoice` the same, since they are about the same thing. Two names in four billion share one. */
export function nameKey(name: string): number {
  const lower = name.toLowerCase();
  let key = KEY_OF_NOTHING;
  for (let i = 0; i < lower.length; i++) key = keyWith(key, lower.charCodeAt(i));
  return key;
}

export const lineCount = ({ lineStarts }: NamedText): number => lineStarts.length - 1;

/**
 * @param from index of the first line, `to` of the one after the last
 * @returns without the last line end
 */
export function textOfLines({ text, lineStarts }: NamedText, from: number, to: number): string {
  const end = Math.min(to, lineStarts.length - 1);
  if (from >= end) return "";
  return ownCopy(text.slice(lineStarts[from], (lineStarts[end] ?? 0) - 1));
}

/** Of an ASCII letter, the same for its other case. */
export const caseless = (code: number): number => code | 0x20;

interface FoundNames {
  readonly keys: number[];
  readonly lines: number[];
  readonly starts: number[];
}

interface LineSpan {
  readonly start: number;
  readonly end: number;
  /** Index of the line. */
  readonly line: number;
}

const NOT_ASCII = /[^\0-\x7f]/;
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** What `identifiersOf` finds, and where: by hand, in a twentieth of the time, where all is ASCII. */
function addNames(names: FoundNames, text: string, span: LineSpan, isAscii: boolean): void {
  const { start, end, line } = span;
  const content = isAscii ? "" : text.slice(start, end);
  if (isAscii || !NOT_ASCII.test(content)) addAsciiNames(names, text, span);
  else
    for (const { 0: name, index } of content.matchAll(IDENTIFIER))
      addName(names, nameKey(name), name.length, start + index, line);
}

function addAsciiNames(names: FoundNames, text: string, { start, end, line }: LineSpan): void {
  for (let at = start; at < end; ) {
    let code = text.charCodeAt(at);
    if (!canBegin(code)) {
      at++;
      continue;
    }
    const begin = at;
    let key = KEY_OF_NOTHING;
    do {
      key = keyWith(key, isUpper(code) ? caseless(code) : code);
      at++;
      code = at < end ? text.charCodeAt(at) : 0;
    } while (canBegin(code) || isDigit(code));
    addName(names, key, at - begin, begin, line);
  }
}

/** What may tell one place from another: no keyword, and more than one letter. */
function addName({ keys, lines, starts }: FoundNames, key: number, length: number, at: number, line: number) {
  if (length < 2 || COMMON_KEYS.has(key)) return;
  keys.push(key);
  lines.push(line);
  starts.push(at);
}

const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const canBegin = (code: number): boolean =>
  (code >= 97 && code <= 122) || isUpper(code) || code === 95 || code === 36;

/** The 32-bit hash of Fowler, Noll and Vo, version 1a, over UTF-16 code units. */
const KEY_OF_NOTHING = 0x811c9dc5 | 0;
const keyWith = (key: number, code: number): number => Math.imul(key ^ code, 0x01000193);

const COMMON_KEYS: ReadonlySet<number> = new Set([...COMMON_WORDS].map(nameKey));
