/** What the text around the cursor says about the name that comes next. */
import { identifiersOf, subWordsOf } from "@dhi/core/identifiers";
import type { IndexDb } from "@dhi/core/index-db";
import { type Family, familyOf } from "../../graph/resolve/languages.ts";
import { type Tree, treeOf } from "../../graph/tree.ts";
import type { RetrievalQuery } from "../query.ts";

export interface Cursor {
  readonly db: IndexDb;
  readonly tree: Tree;
  readonly family: Family;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The end of what stands above and left of the cursor. */
  readonly before: string;
  /** The unfinished name, or `""`. */
  readonly partial: string;
  /** What stands before the dot left of the cursor (or of the unfinished name), as it is written; `null` without a dot. */
  readonly receiver: string | null;
  /** Names on the cursor's own line up to it, then on those above it, the nearest line first. */
  readonly above: readonly (readonly string[])[];
  /** Lower-case words that the names on the nearest lines are made of, the unfinished one left out. */
  readonly words: ReadonlySet<string>;
  /** The nearest line first. */
  readonly below: readonly (readonly string[])[];
}

const LINES_ABOVE = 300;
const LINES_BELOW = 60;
const LINES_WORDS = 6;
/** Shorter words are in every other name. */
export const MIN_WORD = 3;

/** @returns `undefined` for a language without a graph */
export function cursorOf(
  db: IndexDb,
  {
    path,
    line,
    partial,
    before,
    visible,
  }: Pick<RetrievalQuery, "path" | "line" | "partial" | "before" | "visible">,
): Cursor | undefined {
  const family = familyOf(path);
  if (!family) return undefined;
  const left = before.slice(0, before.length - partial.length);
  const above = before.split("\n").slice(-LINES_ABOVE).reverse();
  const names = above.map(namesOn);
  const known = new Set(above.map((one) => one.trim()));
  return {
    ...{ db, tree: treeOf(db), family, path, line, before, partial },
    receiver: receiverBefore(left),
    above: names,
    words: new Set(
      names
        .slice(0, LINES_WORDS)
        .flatMap((line, at) => (at === 0 && partial !== "" ? line.slice(0, -1) : line))
        .flatMap(subWordsOf),
    ),
    // In the order of the text, those above the cursor first.
    below: [...visible]
      .filter((one) => !known.has(one))
      .slice(0, LINES_BELOW)
      .map(namesOn),
  };
}

/** Some 2 MB. The next keystroke sees all lines again but one. */
const MAX_LINES = 10_000;
/** Longer ones are data, and few. */
const MAX_LINE_CHARS = 400;
const namesByLine = new Map<string, readonly string[]>();

function namesOn(line: string): readonly string[] {
  if (line.length > MAX_LINE_CHARS) return identifiersOf(line);
  const known = namesByLine.get(line);
  if (known) return known;
  if (namesByLine.size >= MAX_LINES) namesByLine.clear();
  // A copy: what V8 cuts out of a string keeps all of that string alive, and that is the file at each keystroke.
  const copy = Buffer.from(line).toString();
  const names = identifiersOf(copy);
  namesByLine.set(copy, names);
  return names;
}

const MAX_RECEIVER = 200;

/** @returns `invoice.lines(a, b)[0]` for `x = invoice.lines(a, b)[0].`; `null` when no dot ends the text */
export function receiverBefore(left: string): string | null {
  const dot = /(\?\.|!\.|\.|::)$/.exec(left)?.[0];
  if (dot === undefined) return null;
  const text = left.slice(-MAX_RECEIVER - dot.length, left.length - dot.length);
  let at = text.length;
  for (;;) {
    const end = at;
    at = startOfWord(text, startOfGroups(text, at));
    if (at === end) return null;
    const step = /(\?\.|!\.|\.|::)$/.exec(text.slice(0, at))?.[0];
    if (step === undefined) return text.slice(at);
    at -= step.length;
  }
}

function startOfWord(text: string, end: number): number {
  return end - (/[\p{L}\p{N}_$#]*$/u.exec(text.slice(0, end))?.[0].length ?? 0);
}

/** Before `(…)` and `[…]` that end there; unchanged where brackets do not match on this line. */
function startOfGroups(text: string, end: number): number {
  let at = end;
  while (text[at - 1] === ")" || text[at - 1] === "]") {
    let depth = 0;
    let start = at;
    do {
      start--;
      const character = text[start];
      if (character === ")" || character === "]") depth++;
      else if (character === "(" || character === "[") depth--;
      else if (character === undefined || character === "\n") return end;
    } while (depth > 0);
    at = start;
  }
  return at;
}
