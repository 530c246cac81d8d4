/** Reading live chunks from `index.db`: every query joins through `live`, so what is not in the tree never comes. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { Snippet } from "./snippet.ts";
import { chooseTerms, MAX_RANKED } from "./term-choice.ts";

/** A live chunk, not yet scored. */
export type Candidate = Omit<Snippet, "score" | "legs" | "ranks">;

const CHUNK = `
  live.path AS path, chunks.start_line AS startLine, chunks.end_line AS endLine, live.language AS language,
  chunks.kind AS kind, chunks.name AS name, chunks.signature AS signature,
  texts.text AS text`;
const LIVE = `
  JOIN live ON live.blob_id = chunks.blob_id
  JOIN texts ON texts.id = chunks.text_id`;

const RANK_ALL = "SELECT rowid AS id, rank FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?";
const RANK_NEWEST = `
  SELECT * FROM (SELECT rowid AS id, bm25(terms) AS rank FROM terms WHERE terms MATCH ? ORDER BY rowid DESC LIMIT ${MAX_RANKED})
  ORDER BY rank LIMIT ?`;

/**
 * @param terms as the index holds them (`termsOf`): lower case, whole identifiers and sub-words; each may match
 * @returns best first by BM25
 */
export function chunksByTerms(db: IndexDb, terms: readonly string[], limit: number): Candidate[] {
  const { match, newest } = chooseTerms(db, terms);
  if (!match) return [];
  // Ranked before the join, since texts of other branches are few; and only what is returned is read.
  return prepared<[string, number, number], Candidate>(
    db,
    `WITH found AS MATERIALIZED (${newest ? RANK_NEWEST : RANK_ALL}),
       best AS MATERIALIZED (
         SELECT found.rank, live.path, live.language, chunks.* FROM found
           CROSS JOIN chunks ON chunks.text_id = found.id CROSS JOIN live ON live.blob_id = chunks.blob_id
         ORDER BY found.rank, live.path, chunks.start_line LIMIT ?
       )
     SELECT best.path, start_line AS startLine, end_line AS endLine, language, kind, name, signature, text
     FROM best CROSS JOIN texts ON texts.id = best.text_id ORDER BY best.rank, best.path, start_line`,
  ).all(match, limit * 3, limit);
}

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

/** Looked at for one name, or one start of names. What is defined more often is nobody's in particular. */
const MAX_SYMBOLS = 200;
/** Different names looked at that start the same, and how many of them, the shortest, are looked up. */
const MAX_NAMES = 200;
const SHORTEST_NAMES = 32;

// CROSS JOIN keeps the order: without statistics SQLite may begin with the whole of `live`.
const SYMBOLS = `
  SELECT symbols.*, live.path, live.language FROM symbols CROSS JOIN live ON live.blob_id = symbols.blob_id`;
/** Only of those that are returned the text is read. */
const DEFINITIONS = `
  SELECT best.path, chunks.start_line AS startLine, chunks.end_line AS endLine, best.language, chunks.kind, chunks.name,
    best.signature, texts.text, best.name AS symbol, best.kind AS symbolKind, best.exported
  FROM best CROSS JOIN chunks ON chunks.blob_id = best.blob_id
    AND best.start_line BETWEEN chunks.start_line AND chunks.end_line
  CROSS JOIN texts ON texts.id = chunks.text_id`;

/** @returns how many there are, `most` at most */
export function countDefinitions(db: IndexDb, name: string, most: number): number {
  const row = prepared<[string, number], { n: number }>(
    db,
    `SELECT count(*) AS n FROM (${SYMBOLS} WHERE symbols.name = ? LIMIT ?)`,
  ).get(name, most);
  return row?.n ?? 0;
}

export function definitionsOf(db: IndexDb, name: string, limit: number): Definition[] {
  return prepared<[string, number], Definition>(
    db,
    `WITH some AS MATERIALIZED (${SYMBOLS} WHERE symbols.name = ? LIMIT ${MAX_SYMBOLS}),
       best AS MATERIALIZED (SELECT * FROM some ORDER BY exported DESC, path LIMIT ?)
     ${DEFINITIONS} ORDER BY best.exported DESC, best.path, chunks.ordinal`,
  ).all(name, limit);
}

// Hops from name to name: one that is defined a thousand times costs no more than another.
const STARTING = `
  WITH RECURSIVE names(name, n) AS (
      SELECT min(name), 1 FROM symbols WHERE name >= :start AND name < :end
    UNION ALL
      SELECT (SELECT min(name) FROM symbols WHERE name > names.name AND name < :end), n + 1
      FROM names WHERE name IS NOT NULL AND n < ${MAX_NAMES}
    ),
    short AS MATERIALIZED (
      SELECT name FROM names WHERE name IS NOT NULL ORDER BY length(name), name LIMIT ${SHORTEST_NAMES}
    ),
    some AS MATERIALIZED (
      ${SYMBOLS.replace("FROM symbols", "FROM short CROSS JOIN symbols ON symbols.name = short.name")}
      LIMIT ${MAX_SYMBOLS}
    )`;
const startingBy = (start: string, limit: number) => ({ start, end: `${start}\u{10ffff}`, limit });
type StartingBy = ReturnType<typeof startingBy>;

/** @param start at least three letters: shorter ones match half the repository */
export function definitionsStartingWith(db: IndexDb, start: string, limit: number): Definition[] {
  return prepared<StartingBy[], Definition>(
    db,
    `${STARTING},
       best AS MATERIALIZED (SELECT * FROM some ORDER BY exported DESC, length(name), path LIMIT :limit)
     ${DEFINITIONS} ORDER BY best.exported DESC, length(best.name), best.path, chunks.ordinal`,
  ).all(startingBy(start, limit));
}

/** The same without their texts. */
export function namesStartingWith(
  db: IndexDb,
  start: string,
  limit: number,
): { name: string; path: string }[] {
  return prepared<StartingBy[], { name: string; path: string }>(
    db,
    `${STARTING} SELECT name, path FROM some ORDER BY exported DESC, length(name), path LIMIT :limit`,
  ).all(startingBy(start, limit));
}
