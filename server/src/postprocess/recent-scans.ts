/**
 * What is open at the cursor, and what is read behind it, from one keystroke to the next: only the cursor's line is read
 * again. A file of 50,000 characters takes some milliseconds to read, which is more than all else that an answer takes
 * which is there already.
 */
import { ownCopy } from "../own-copy.ts";
import type { Lexis } from "./lexis.ts";
import { literalIn, type Open, type Scan, scan } from "./scan.ts";

export interface OpenAtEnd {
  /** Innermost last. */
  readonly open: readonly Open[];
  /** Whether the text closes nothing that it has not opened. */
  readonly isWhole: boolean;
}

/** A text up to the start of a line, that closes nothing that it has not opened. */
interface Head {
  readonly lexis: Lexis;
  readonly text: string;
  readonly open: readonly Open[];
}

interface Behind {
  readonly lexis: Lexis;
  readonly text: string;
  readonly before: readonly Open[];
  readonly scan: Scan;
}

/** Files that are typed in at the same time; of each some 100 KB are kept. */
const MAX_KEPT = 16;

/** The longest unused first. */
const heads: Head[] = [];
const behinds: Behind[] = [];

/** @returns the same as reading all of it */
export function openAtEnd(text: string, lexis: Lexis): OpenAtEnd {
  const lineStart = text.lastIndexOf("\n") + 1;
  const known = take(heads, (one) => one.lexis === lexis && text.startsWith(one.text));
  const line = text.slice(lineStart);
  const before = known ?? { lexis, text: "", open: [] };
  const read = readOn(before.open, text.slice(before.text.length, lineStart), lexis);
  const head = read && !isInString(read) ? read : undefined;
  if (head && before.text.length < lineStart)
    put(heads, { lexis, text: ownCopy(text.slice(0, lineStart)), open: head });
  else if (known) put(heads, known);
  const open = head && readOn(head, line, lexis);
  if (open) return { open, isWhole: true };
  const whole = scan(text, lexis);
  return { open: whole.open, isWhole: whole.closed.length === 0 };
}

/** @returns the same as `scan` */
export function scanBehind(text: string, lexis: Lexis, before: readonly Open[]): Scan {
  const known =
    take(behinds, (one) => one.lexis === lexis && one.text === text && areSame(one.before, before)) ??
    ({ lexis, text: ownCopy(text), before, scan: scan(text, lexis, before) } satisfies Behind);
  put(behinds, known);
  return known.scan;
}

/** @returns `undefined` where a bracket closes nothing: all of the text would have to say what was meant */
function readOn(open: readonly Open[], more: string, lexis: Lexis): readonly Open[] | undefined {
  const read = scan(more, lexis, open);
  return read.closed.every(({ fits }) => fits) ? read.open : undefined;
}

/** In one that ends with its line, unless that is escaped: whether it ends in the next one decides where it began. */
function isInString(open: readonly Open[]): boolean {
  const literal = literalIn(open);
  return literal !== undefined && !literal.lines;
}

function areSame(a: readonly Open[], b: readonly Open[]): boolean {
  return a.length === b.length && a.every((one, i) => isSame(one, b[i]));
}

function isSame(a: Open, b: Open | undefined): boolean {
  if (!b) return false;
  if ("literal" in a) return "literal" in b && a.literal === b.literal;
  return "bracket" in b && a.bracket === b.bracket && a.hole === b.hole;
}

/** Takes out the newest that fits. */
function take<T>(kept: T[], fits: (one: T) => boolean): T | undefined {
  const at = kept.findLastIndex(fits);
  return at < 0 ? undefined : kept.splice(at, 1)[0];
}

function put<T>(kept: T[], one: T): void {
  kept.push(one);
  if (kept.length > MAX_KEPT) kept.shift();
}
