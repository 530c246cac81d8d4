/** Definitions as candidates: each with its own lines only, since a chunk may hold ten neighbours that nobody asked for. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { type Located, treeOf } from "../graph/tree.ts";
import type { Candidate } from "./chunk-rows.ts";

/** Longer definitions are cut: their heads say how to use them, and two of these fill a prompt. */
const MAX_LINES = 40;
const MAX_CHARS = 1_600;
/** Longer comments are left out: they say in prose what the code below says in a tenth of the tokens. */
const MAX_COMMENT_LINES = 3;

/** A candidate and the name that it was taken for. */
export interface SymbolCandidate extends Candidate {
  readonly symbol: string;
}

/**
 * @returns as many and in the same order, without those that left the index meanwhile. `startLine` is the definition's own
 * also where the text leaves out a long comment above it; `endLine` is where the text ends
 */
export function symbolCandidates(db: IndexDb, definitions: readonly Located[]): SymbolCandidate[] {
  const tree = treeOf(db);
  return definitions.flatMap((definition) => {
    const { path, startLine, name } = definition;
    const key = `candidate ${path} ${startLine} ${name}`;
    return tree.ofFile(path, key, () => ({ found: candidateOf(db, definition) })).found ?? [];
  });
}

function candidateOf(db: IndexDb, definition: Located): SymbolCandidate | undefined {
  const { path, name, kind, signature, container, startLine, endLine } = definition;
  const source = linesOf(db, path, startLine, Math.min(endLine, startLine + MAX_LINES + LONGEST_COMMENT));
  if (!source) return undefined;
  const start = codeStart(source.lines);
  const lines = cut(source.lines.slice(start));
  const head = signature === "" || signature === lines.join("\n").trim() ? null : signature;
  return {
    ...{ path, startLine, endLine: Math.min(endLine, startLine + start + lines.length - 1) },
    ...{ language: source.language, kind, name, symbol: name },
    text: lines.join("\n"),
    signature: head !== null && container !== null ? `${container}: ${head}` : head,
  };
}

/** Of a comment above a definition, so many lines are read to find where the code begins. */
const LONGEST_COMMENT = 120;

interface Lines {
  readonly language: string;
  readonly lines: readonly string[];
}

function linesOf(db: IndexDb, path: string, from: number, to: number): Lines | undefined {
  const chunks = prepared<[string, number, number], { language: string; startLine: number; text: string }>(
    db,
    `SELECT live.language, chunks.start_line AS startLine, texts.text FROM live
     CROSS JOIN chunks USING (blob_id) CROSS JOIN texts ON texts.id = chunks.text_id
     WHERE live.path = ? AND chunks.end_line >= ? AND chunks.start_line <= ? ORDER BY chunks.ordinal`,
  ).all(path, from, to);
  const [first] = chunks;
  if (!first) return undefined;
  // Chunks follow each other without a gap, and may meet inside a line.
  const lines = chunks
    .map(({ text }) => text)
    .join("")
    .split("\n");
  const skip = from - first.startLine;
  return skip < 0 ? undefined : { language: first.language, lines: lines.slice(skip, skip + to - from + 1) };
}

const COMMENT = /^\s*(\/\/|\/\*|\*|#(?![[!]))/;

/** Index of the first line that is shown. */
function codeStart(lines: readonly string[]): number {
  let at = 0;
  let isBlock = false;
  for (const line of lines) {
    isBlock ||= /^\s*\/\*/.test(line);
    if (!isBlock && !COMMENT.test(line) && line.trim() !== "") break;
    if (line.includes("*/")) isBlock = false;
    at++;
  }
  return at > MAX_COMMENT_LINES && at < lines.length ? at : 0;
}

function cut(lines: readonly string[]): readonly string[] {
  let chars = 0;
  let count = 0;
  for (const line of lines.slice(0, MAX_LINES)) {
    chars += line.length + 1;
    if (count > 0 && chars > MAX_CHARS) break;
    count++;
  }
  return lines.slice(0, count).map((line) => line.slice(0, MAX_CHARS));
}

/** Lines shown around a use. */
const AROUND = 4;

/** A use, with a few lines around it. @returns `undefined` for what left the index meanwhile */
export function linesAround(
  db: IndexDb,
  {
    path,
    line,
    enclosing,
  }: { readonly path: string; readonly line: number; readonly enclosing: string | null },
): Candidate | undefined {
  const from = Math.max(1, line - AROUND);
  const source = linesOf(db, path, from, line + AROUND);
  if (!source) return undefined;
  const lines = cut(source.lines);
  return {
    ...{ path, startLine: from, endLine: from + lines.length - 1, language: source.language, kind: "lines" },
    ...{ name: enclosing, text: lines.join("\n"), signature: null },
  };
}
