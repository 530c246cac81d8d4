/** Reading live chunks from `index.db`: every query joins through `live`, so what is not in the tree never comes. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { Snippet } from "./snippet.ts";

/** A live chunk, not yet scored. */
export type Candidate = Omit<Snippet, "score" | "legs">;

const CHUNK = `
  live.path AS path, chunks.start_line AS startLine, chunks.end_line AS endLine, live.language AS language,
  chunks.kind AS kind, chunks.name AS name, texts.text AS text`;
const LIVE = `
  JOIN live ON live.blob_id = chunks.blob_id
  JOIN texts ON texts.id = chunks.text_id`;

/**
 * @param terms as the index holds them (`termsOf`): lower case, whole identifiers and sub-words; each may match
 * @param start what a further term may start with; empty for none
 * @returns best first by BM25
 */
export function chunksByTerms(db: IndexDb, terms: readonly string[], limit: number, start = ""): Candidate[] {
  const words = [...new Set(terms)].map(quoted);
  if (start) words.push(`${quoted(start)}*`);
  if (!words.length) return [];
  // Ranked before the join: texts of other branches are few, and joining all matches first would read every text that holds a common word.
  return prepared<[string, number, number], Candidate>(
    db,
    `WITH found AS MATERIALIZED (SELECT rowid AS id, rank FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?)
     SELECT ${CHUNK} FROM found JOIN chunks ON chunks.text_id = found.id ${LIVE}
     ORDER BY found.rank, live.path, chunks.start_line LIMIT ?`,
  ).all(words.join(" OR "), limit * 3, limit);
}

/** FTS5's string syntax. */
const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** @returns `undefined` when the chunk is not in the work tree any more */
export function chunkByText(db: IndexDb, path: string, textHash: string): Candidate | undefined {
  return prepared<[string, string], Candidate>(
    db,
    `SELECT ${CHUNK} FROM chunks ${LIVE} WHERE live.path = ? AND texts.text_hash = ?
     ORDER BY chunks.ordinal LIMIT 1`,
  ).get(path, textHash);
}

/** A definition and the chunk that holds its first line. */
export interface Definition extends Candidate {
  readonly symbol: string;
  readonly symbolKind: string;
  readonly exported: 0 | 1;
}

const DEFINITION = `
  SELECT ${CHUNK}, symbols.name AS symbol, symbols.kind AS symbolKind, symbols.exported AS exported FROM symbols
    JOIN chunks ON chunks.blob_id = symbols.blob_id
      AND symbols.start_line BETWEEN chunks.start_line AND chunks.end_line ${LIVE}`;

export function definitionsOf(db: IndexDb, name: string, limit: number): Definition[] {
  return prepared<[string, number], Definition>(
    db,
    `${DEFINITION} WHERE symbols.name = ? ORDER BY symbols.exported DESC, live.path LIMIT ?`,
  ).all(name, limit);
}

/** @param start at least three letters: shorter ones match half the repository */
export function definitionsStartingWith(db: IndexDb, start: string, limit: number): Definition[] {
  return prepared<[string, string, number], Definition>(
    db,
    `${DEFINITION} WHERE symbols.name >= ? AND symbols.name < ?
     ORDER BY symbols.exported DESC, length(symbols.name), live.path LIMIT ?`,
  ).all(start, `${start}\u{10ffff}`, limit);
}
