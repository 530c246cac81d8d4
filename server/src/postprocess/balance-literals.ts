/** Cuts before a quote or comment mark that would turn the code right of the cursor into text, or text into code. */
import { afterCursor } from "./cursor-line.ts";
import type { Literal } from "./lexis.ts";
import { type Found, literalIn, type Open, type Scan, scan } from "./scan.ts";
import type { Step, StepContext } from "./step.ts";
import { type Surroundings, surroundingsOf } from "./surroundings.ts";

export const balanceLiterals: Step = (text, { request }) => {
  const around = surroundingsOf(request);
  if (!around) return text;
  let kept = text;
  for (let at = firstFault(kept, around, request); at >= 0; at = firstFault(kept, around, request)) {
    kept = kept.slice(0, at);
  }
  return kept.trim() === "" && text.trim() !== "" ? { drop: "unbalanced" } : kept;
};

/** @returns where to cut, which is always left of the text's end, or -1 */
function firstFault(text: string, around: Surroundings, request: StepContext["request"]): number {
  const read = around.read(text);
  const slips = [
    ...[...read.unterminated, ...read.literals.filter((found) => isGlued(found, text, around, request))]
      .map(({ at }) => at)
      .filter((at) => !isApostrophe(text, at, around, request)),
    ...read.orphans,
  ];
  if (slips.length > 0) return Math.min(...slips);
  const begun = read.literals.at(-1);
  if (begun && literalIn(read.open) === begun.what && isApostrophe(text, begun.at, around, request))
    return -1;
  const rest = afterCursor(around.suffix);
  return rest.trim() === "" ? faultAtLineEnd(text, read, around) : faultInLine(text, read, rest, around);
}

/** No string begins right behind a word, unless that is a prefix of it. */
function isGlued(
  { what, at }: Found<Literal>,
  text: string,
  { lexis }: Surroundings,
  { prefix }: StepContext["request"],
): boolean {
  if (what.comment || !/^["']/.test(what.open)) return false;
  const before = prefix.slice(-MAX_WORD) + text.slice(0, at);
  const word = /[\p{L}\p{N}_$]+$/u.exec(before.slice(-MAX_WORD))?.[0];
  return word !== undefined && !lexis.beforeString.test(word);
}

const MAX_WORD = 40;

/** Between tags there are words: `Don't`. */
function isApostrophe(
  text: string,
  at: number,
  { lexis }: Surroundings,
  { prefix }: StepContext["request"],
): boolean {
  if (!lexis.tags || text.charAt(at) !== "'") return false;
  const before = prefix.slice(-MAX_BETWEEN_TAGS) + text.slice(0, at);
  return (
    /\p{L}$/u.test(before) && /[^=]>[^<>{}();=]*$|\}[^<>{}();=\n]*$/.test(before.slice(-MAX_BETWEEN_TAGS))
  );
}

const MAX_BETWEEN_TAGS = 500;

/** What a stray quote stands before. */
const LINE_END = /^[)\]};,\s]*$/;

function faultAtLineEnd(text: string, read: Scan, around: Surroundings): number {
  const { open } = around;
  const inside = literalIn(open);
  const left = literalIn(read.open);
  const begun = read.literals.at(-1);
  if (left && begun && read.open.length > read.kept) {
    // A string of one line swallows nothing, and may be cut off in its middle.
    if (left.lines ? !isAwaited(text, begun, read, around) : !left.comment && isStray(text, begun)) {
      return left.comment ? begun.at : startOfRun(read, begun.at);
    }
  }
  return inside?.lines && read.kept < open.length && isClosedBelow(inside, read, around)
    ? read.firstClose
    : -1;
}

/** Whether the literal at the cursor has its end there: a comment's comes before the next one begins. */
function isClosedBelow(inside: Literal, read: Scan, around: Surroundings): boolean {
  // In a file with an odd number of delimiters everything behind is inside out.
  if (!inside.comment) return faultsBelow(read, around) >= faults(around.after);
  const end = around.suffix.indexOf(inside.close);
  const next = around.suffix.indexOf(inside.open);
  return end >= 0 && (next < 0 || end < next);
}

const isStray = (text: string, { at, what }: Found<Literal>): boolean =>
  LINE_END.test(text.slice(at + what.open.length));

/** Of quotes in a row: the empty string that the first two of three would be belongs nowhere either. */
function startOfRun({ literals, ends }: Scan, at: number): number {
  let start = at;
  while (ends.includes(start - 1) && literals.some((found) => found.at === start - 2)) start -= 2;
  return start;
}

/** Marks at the end of a text that are tried. */
const MAX_MARKS = 8;

/** Code or text right of the cursor must stay what it is; where it is half a string, it may become whole. */
function faultInLine(text: string, read: Scan, rest: string, around: Surroundings): number {
  const atEnd = (from: readonly Open[]) => literalIn(scan(rest, around.lexis, from).open);
  const now = atEnd(around.open);
  const isRight = (from: readonly Open[]) => atEnd(from) === (isBroken(now) ? undefined : now);
  if (isRight(read.open)) return -1;
  const quotes = [...text.matchAll(/["'`]/g)].map(({ index }) => index);
  const marks = [read.firstClose, ...read.literals.map(({ at }) => at), ...quotes]
    .filter((at) => at >= 0)
    .sort((a, b) => b - a);
  const right = marks.slice(0, MAX_MARKS).find((at) => isRight(around.read(text.slice(0, at)).open));
  if (right !== undefined) return startOfRun(around.read(text.slice(0, right)), right);
  return isBroken(now) ? -1 : (marks[0] ?? -1);
}

/** A string that its line does not close. */
const isBroken = (literal: Literal | undefined): boolean =>
  literal !== undefined && !literal.lines && !literal.comment;

/** Whether the code below makes more sense in the literal that the text opens: then it is closed there. */
const isAwaited = (text: string, begun: Found<Literal>, read: Scan, around: Surroundings): boolean =>
  faultsBelow(read, around) < faultsBelow(around.read(text.slice(0, begun.at)), around);

const faultsBelow = ({ open }: Scan, { lexis, suffix }: Surroundings): number =>
  faults(scan(suffix, lexis, open));

const faults = ({ unterminated, orphans, open }: Scan): number =>
  unterminated.length + orphans.length + (literalIn(open)?.lines ? 1 : 0);
