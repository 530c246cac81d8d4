/**
 * Snippets in the pieces that compete for the room in a prompt: each as its signature, and as the segments of its text. What
 * is read off a text is kept, since most of what one keystroke retrieves the next one retrieves again.
 */
import { COMMON_WORDS, identifiersOf } from "@dhi/core/identifiers";
import { ownCopy } from "../own-copy.ts";
import type { Snippet } from "../retrieval/snippet.ts";
import { type Segment, segmentsOf } from "./segments.ts";

export type SnippetForm = "body" | "signature";

/** Lines of a snippet, or its signature in their place. */
export interface Piece {
  readonly snippet: Snippet;
  readonly form: SnippetForm;
  /** 1-based and inclusive; of a signature, those of what it stands for. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** Those that a completion could use, each once. */
  readonly names: readonly string[];
  /** Shows what the snippet is: its signature, or its first lines. One of these is enough. */
  readonly isHead: boolean;
}

/** @returns the signature first, where there is one, then the segments in order */
export function piecesOf(snippet: Snippet): Piece[] {
  const { startLine, endLine, signature, text } = snippet;
  const pieces = namedSegments(text).map(
    (segment, i): Piece => ({
      ...{ snippet, form: "body", isHead: i === 0, text: segment.text, names: segment.names },
      startLine: startLine + segment.startLine,
      endLine: startLine + segment.endLine,
    }),
  );
  if (signature) {
    const names = namesOf(signature);
    pieces.unshift({ snippet, form: "signature", startLine, endLine, text: signature, names, isHead: true });
  }
  return pieces;
}

/** @returns in line order, those with lines between them that are not shown set apart by a blank line */
export function textOf(pieces: readonly Piece[]): string {
  let text = "";
  pieces.forEach((piece, i) => {
    const before = pieces[i - 1];
    const isOtherForm = before && before.form !== piece.form;
    const isGap = before?.form === "body" && piece.form === "body" && piece.startLine > before.endLine + 1;
    text += isOtherForm || isGap ? `\n${piece.text}\n` : `${piece.text}\n`;
  });
  return text;
}

/** Lines of a file that are shown together. */
export interface ShownLines extends Pick<Piece, "startLine" | "endLine" | "text"> {
  /** How likely what they are is needed; comparable within one prompt only. */
  readonly score: number;
}

/**
 * @param pieces in line order
 * @param worth of showing what a piece is the head of
 * @returns those whose lines follow each other in one
 */
export function joined(pieces: readonly Piece[], worth: (snippet: Snippet) => number): ShownLines[] {
  const runs: { startLine: number; endLine: number; text: string; score: number; form: SnippetForm }[] = [];
  for (const { snippet, startLine, endLine, text, form, isHead } of pieces) {
    const score = isHead ? worth(snippet) : 0;
    const run = runs.at(-1);
    // Segments leave out blank lines at their ends.
    const gap = run ? startLine - run.endLine - 1 : Number.POSITIVE_INFINITY;
    if (run?.form === "body" && form === "body" && gap <= 1) {
      run.endLine = endLine;
      run.score = Math.max(run.score, score);
      run.text += `${"\n".repeat(gap + 1)}${text}`;
    } else {
      // One for each definition that the heads are of.
      const texts = form === "signature" ? text.split("\n") : [text];
      runs.push(...texts.map((one) => ({ startLine, endLine, text: one, score, form })));
    }
  }
  return runs.map(({ form: _, ...run }) => run);
}

export function byLine(a: Piece, b: Piece): number {
  return a.startLine - b.startLine || a.endLine - b.endLine || (a.text < b.text ? -1 : 1);
}

/** @returns names that a completion could use, each once: no keywords, no one-letter names, nothing of comment lines */
export function namesOf(text: string): readonly string[] {
  const known = keptNames.get(text);
  if (known) return known;
  if (keptNames.size >= MAX_TEXTS) keptNames.clear();
  const own = ownCopy(text);
  const made = readNames(own);
  keptNames.set(own, made);
  return made;
}

function readNames(text: string): string[] {
  const names = new Set<string>();
  for (const line of text.split("\n")) {
    if (COMMENT.test(line)) continue;
    for (const name of identifiersOf(line))
      if (name.length > 1 && !COMMON_WORDS.has(name.toLowerCase())) names.add(name);
  }
  return [...names];
}

/** Lines that are a comment from their first character on: their words are prose. */
const COMMENT = /^\s*(\/\/|\/\*|\*|#(?!\[|include|define)|--\s|<!--)/;

interface NamedSegment extends Segment {
  readonly names: readonly string[];
}

/** Some 10 MB. */
const MAX_TEXTS = 1_000;
const kept = new Map<string, readonly NamedSegment[]>();
const keptNames = new Map<string, readonly string[]>();

/** @returns with lines counted from 0 */
function namedSegments(text: string): readonly NamedSegment[] {
  const known = kept.get(text);
  if (known) return known;
  const made = segmentsOf(text, 0).map((segment) => ({ ...segment, names: readNames(segment.text) }));
  if (kept.size >= MAX_TEXTS) kept.clear();
  kept.set(text, made);
  return made;
}
