/** Reads code only far enough to know which brackets and literals are open where. */
import type { Lexis, Literal } from "./lexis.ts";

export interface OpenBracket {
  readonly bracket: string;
  /** It is the hole of a literal. */
  readonly hole?: true;
}
export interface OpenLiteral {
  readonly literal: Literal;
}
export type Open = OpenBracket | OpenLiteral;

export interface Found<T> {
  readonly what: T;
  /** Offset in the scanned text. */
  readonly at: number;
}

/** A closing bracket that closes something open before the text, or fits nothing. */
export interface Closed extends Found<string> {
  readonly fits: boolean;
  /** It does not fit a bracket of the text itself. */
  readonly inOwn: boolean;
}

export interface Scan {
  /** What is open at the end, innermost last. Starts with as much of what was open before as is still open. */
  readonly open: readonly Open[];
  /** How many of those that were open before still are. */
  readonly kept: number;
  readonly closed: readonly Closed[];
  /** Where closing brackets stand, those of the text's own brackets too. */
  readonly closers: readonly number[];
  /** Literals that begin in the text. */
  readonly literals: readonly Found<Literal>[];
  /** Where literals end that began in the text. */
  readonly ends: readonly number[];
  /** Strings that the end of their line cut off. */
  readonly unterminated: readonly Found<Literal>[];
  /** Where comments end that did not begin. */
  readonly orphans: readonly number[];
  /** Where what was open before is closed first, or -1; also for a literal. */
  readonly firstClose: number;
}

const CLOSER: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
export const openerOf: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/**
 * @param before what is open where the text begins
 * @returns about the text alone; a literal that is open at its end is none that was cut off
 */
export function scan(text: string, lexis: Lexis, before: readonly Open[] = []): Scan {
  const open = [...before];
  let kept = before.length;
  let firstClose = -1;
  const orphans: number[] = [];
  const closed: Closed[] = [];
  const closers: number[] = [];
  const literals: Found<Literal>[] = [];
  const ends: number[] = [];
  const unterminated: Found<Literal>[] = [];
  const search = searchOf(lexis);
  let at = 0;

  const pop = (where: number) => {
    open.pop();
    if (open.length < kept) {
      kept = open.length;
      if (firstClose < 0) firstClose = where;
    }
  };

  while (at < text.length) {
    const top = open.at(-1);
    if (top && "literal" in top) {
      const { literal } = top;
      const end = endOf(literal, text, at);
      if (end.kind === "open") break;
      at = end.at;
      if (end.kind === "hole") {
        open.push({ bracket: "{", hole: true });
      } else if (end.kind === "nested") {
        open.push({ literal });
      } else {
        if (open.length > kept) ends.push(end.from);
        pop(end.from);
      }
      continue;
    }
    search.lastIndex = at;
    const hit = search.exec(text);
    if (!hit) break;
    const found = hit[0];
    const from = hit.index;
    at = from + found.length;
    const token = lexis.tokenStarts.includes(found.charAt(0)) ? tokenAt(lexis, text, from) : 0;
    if (token > 0) {
      at = from + token;
    } else if (found in CLOSER) {
      open.push({ bracket: found });
    } else if (found in openerOf) {
      closers.push(from);
      const inner = open.at(-1);
      if (inner && "bracket" in inner && inner.bracket === openerOf[found]) {
        if (open.length <= kept) closed.push({ what: found, at: from, fits: true, inOwn: false });
        pop(from);
      } else {
        closed.push({ what: found, at: from, fits: false, inOwn: open.length > kept });
        recover(found);
      }
    } else {
      const literal = lexis.literals.find((l) => text.startsWith(l.open, from));
      if (!literal) {
        if (found === COMMENT_END) orphans.push(from);
        continue;
      }
      at = from + literal.open.length;
      if (!literal.lines && !literal.comment && endOf(literal, text, at).kind === "cut") {
        // An apostrophe in text between tags, or a mistake: the rest of the line is read as code.
        unterminated.push({ what: literal, at: from });
        continue;
      }
      literals.push({ what: literal, at: from });
      open.push({ literal });
    }
  }
  return { open, kept, closed, closers, literals, ends, unterminated, orphans, firstClose };

  /** A closer that does not fit closes what it can reach in this text, so that one slip counts once. */
  function recover(closer: string): void {
    for (let i = open.length - 1; i >= before.length; i--) {
      const frame = open[i];
      if (!frame || "literal" in frame || frame.hole) return;
      if (frame.bracket === openerOf[closer]) {
        open.length = i;
        return;
      }
    }
  }
}

/** @returns the innermost literal, unless code in a hole of it is read */
export function literalIn(open: readonly Open[]): Literal | undefined {
  const top = open.at(-1);
  return top && "literal" in top ? top.literal : undefined;
}

type End =
  | { readonly kind: "open" }
  | { readonly kind: "close" | "cut" | "hole" | "nested"; readonly at: number; readonly from: number };

/** Where the literal ends that is open at `at`. */
function endOf(literal: Literal, text: string, at: number): End {
  const search = endSearchOf(literal);
  search.lastIndex = at;
  for (let hit = search.exec(text); hit; hit = search.exec(text)) {
    const found = hit[0];
    const from = hit.index;
    const after = from + found.length;
    if (found === literal.close) return { kind: "close", at: after, from };
    if (found === literal.hole) return { kind: "hole", at: after, from };
    if (found === literal.open) return { kind: "nested", at: after, from };
    if (found === "\n" || found === "\r\n") return { kind: "cut", at: from, from };
  }
  return { kind: "open" };
}

function tokenAt(lexis: Lexis, text: string, at: number): number {
  for (const token of lexis.tokens) {
    token.lastIndex = at;
    const hit = token.exec(text);
    if (hit) return hit[0].length;
  }
  return 0;
}

const COMMENT_END = "*/";
const searches = new WeakMap<Lexis, RegExp>();
const endSearches = new WeakMap<Literal, RegExp>();

function searchOf(lexis: Lexis): RegExp {
  const known = searches.get(lexis);
  if (known) return known;
  const opens = lexis.literals.map(({ open }) => escaped(open));
  const ends = lexis.literals.some(({ close }) => close === COMMENT_END) ? [escaped(COMMENT_END)] : [];
  const parts = [...opens, ...ends, ...[...lexis.tokenStarts].map(escaped), "[()[\\]{}]"];
  const search = new RegExp(parts.join("|"), "g");
  searches.set(lexis, search);
  return search;
}

function endSearchOf(literal: Literal): RegExp {
  const known = endSearches.get(literal);
  if (known) return known;
  const { close, escapes, hole, nests, open, lines } = literal;
  const parts = [
    ...(escapes ? ["\\\\(?:\\r\\n|[\\s\\S])"] : []),
    escaped(close),
    ...(hole ? [escaped(hole)] : []),
    ...(nests ? [escaped(open)] : []),
    ...(lines || close === "\n" ? [] : ["\\r?\\n"]),
  ];
  const search = new RegExp(parts.join("|"), "g");
  endSearches.set(literal, search);
  return search;
}

const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
