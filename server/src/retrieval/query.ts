/** What to look for, read off the code around the cursor. */
import { COMMON_WORDS, identifiersOf } from "@dhi/core/identifiers";
import { languageOf } from "@dhi/core/languages";
import type { FimRequest } from "@dhi/core/protocol";
import { scopeOf } from "./scope.ts";

/** Lines of a file, 1-based and inclusive. */
export interface FileRange {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface RetrievalQuery {
  /** The open file; what it shows already is not retrieved again. */
  readonly path: string;
  /** Whether a snippet in that language can help at all: code helps code, and everything helps its own kind. */
  readonly wants: (language: string) => boolean;
  /** Names used near the cursor, the nearest first, each once; common words and one-letter names left out. */
  readonly names: readonly string[];
  /** The unfinished name the cursor stands in or right behind, or `""`. */
  readonly partial: string;
  /**
   * Code to embed: the lines above the cursor's own, so that it stays the same while a line is typed and one embedding
   * serves all its keystrokes. Empty at the top of a file.
   */
  readonly block: string;
  /** What the cursor stands in, the same while a function is typed; `""` at the top level. See {@link scopeOf}. */
  readonly scope: string;
  /** The end of what stands above and left of the cursor. */
  readonly before: string;
  /** Of the cursor, 1-based, as the editor counts when `prefix` begins with the file. */
  readonly line: number;
  /** In the editor, the one looked at last first; without the file itself. */
  readonly openFiles: readonly string[];
  /** The newest first. */
  readonly recentEdits: readonly FileRange[];
  /** Trimmed non-blank lines that the engine sees anyway. */
  readonly visible: ReadonlySet<string>;
}

/** Names are read from this many lines above and below; further away they say little about what comes next. */
const LINES_ABOVE = 24;
const LINES_BELOW = 6;
/** A caret block: about what one chunk holds, so that like is compared with like. */
const BLOCK_LINES = 16;
/** Shorter starts of a name are the start of everything. */
export const MIN_PARTIAL = 3;
const VISIBLE_ABOVE = 300;
const VISIBLE_BELOW = 150;
/** What so many lines of code take at most; data in one line of megabytes would hold up everyone's keystrokes. */
const MAX_ABOVE_CHARS = 64 * 1024;
const MAX_BELOW_CHARS = 32 * 1024;
const MAX_BLOCK_CHARS = 4_000;
const MAX_NAMES = 32;

/** They share words with code (`path`, `name`, `version`) and nothing else. */
const NOT_CODE = new Set("plaintext json jsonc yaml toml markdown xml html css scss less".split(" "));

export function retrievalQuery({
  path,
  prefix,
  suffix,
  openFiles = [],
  recentEdits = [],
}: Pick<FimRequest, "path" | "prefix" | "suffix" | "openFiles" | "recentEdits">): RetrievalQuery {
  const above = lastLines(prefix.slice(-MAX_ABOVE_CHARS), VISIBLE_ABOVE);
  const below = firstLines(suffix.slice(0, MAX_BELOW_CHARS), VISIBLE_BELOW);
  const partial = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(above.at(-1) ?? "")?.[0] ?? "";
  const near = [...above.slice(-LINES_ABOVE).reverse(), ...below.slice(0, LINES_BELOW)];
  const names = new Set<string>();
  for (const line of near) {
    // Within a line the name nearest to the cursor's end counts first.
    for (const name of identifiersOf(line).reverse()) {
      if (name.length > 1 && !COMMON_WORDS.has(name.toLowerCase())) names.add(name);
    }
    if (names.size >= MAX_NAMES) break;
  }
  names.delete(partial);
  const { id } = languageOf(path);
  return {
    path,
    wants: (language) => language === id || (!NOT_CODE.has(language) && !NOT_CODE.has(id)),
    names: [...names].slice(0, MAX_NAMES),
    partial,
    block: above.slice(0, -1).slice(-BLOCK_LINES).join("\n").slice(-MAX_BLOCK_CHARS).toWellFormed().trim(),
    scope: scopeOf(above),
    before: prefix.slice(-MAX_ABOVE_CHARS),
    line: countLines(prefix),
    openFiles: [...new Set(openFiles)].filter((open) => open !== path),
    recentEdits,
    visible: new Set([...above, ...below].map((line) => line.trim()).filter(Boolean)),
  };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Reads from the end, so that a megabyte of prefix costs no more than its last lines. */
function lastLines(text: string, count: number): string[] {
  let start = text.length;
  for (let lines = 0; lines < count && start > 0; lines++) start = text.lastIndexOf("\n", start - 1);
  return text.slice(Math.max(start, 0)).split("\n");
}

function firstLines(text: string, count: number): string[] {
  let end = -1;
  for (let lines = 0; lines < count; lines++) {
    const next = text.indexOf("\n", end + 1);
    if (next < 0) return text.split("\n");
    end = next;
  }
  return text.slice(0, end).split("\n");
}
