/** Chunks by the names in them. Not BM25 of FTS5: that takes seven times as long, and cannot weigh names by nearness. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { Candidate } from "./chunk-rows.ts";
import { chooseTerms, quoted, startingWith } from "./term-choice.ts";

/** A live chunk whose text is not read yet. */
export interface ChunkPlace extends Omit<Candidate, "text"> {
  readonly textId: number;
  readonly textHash: string;
}

export interface RankedPlaces {
  /** Those first whose names weigh most together. */
  readonly places: readonly ChunkPlace[];
  /** What each name weighs that is in the index and not everywhere: how rare it is, times what was asked for. */
  readonly weights: ReadonlyMap<string, number>;
}

export interface TextsWith {
  /** Lower case, whole identifiers → how much each matters. */
  readonly names: ReadonlyMap<string, number>;
  /** What one more name may start with, in lower case; empty for none. It matters as 1. */
  readonly start: string;
  readonly limit: number;
}

/** A text may lie in several files; the same text twice says nothing new. */
const MAX_PLACES_OF_TEXT = 1;
/** Looked at when every name is everywhere. */
const NEWEST = 200;

export function textsWith(db: IndexDb, { names, start, limit }: TextsWith): RankedPlaces {
  const { terms, newest, match } = chooseTerms(db, [...names.keys()], start);
  const texts = prepared<[], { n: number | null }>(db, "SELECT max(id) AS n FROM texts").get()?.n ?? 0;
  const weights = new Map<string, number>();
  const scores = new Map<number, number>();
  const withTerm = prepared<[string], { id: number }>(
    db,
    "SELECT rowid AS id FROM terms WHERE terms MATCH ?",
  );
  for (const [term, chunks] of terms) {
    const isStart = term === start;
    const weight = Math.log1p(texts / chunks) * (isStart ? 1 : (names.get(term) ?? 0));
    weights.set(term, weight);
    for (const { id } of withTerm.all(isStart ? startingWith(term) : quoted(term)))
      scores.set(id, (scores.get(id) ?? 0) + weight);
  }
  if (newest) for (const id of newestWith(db, match)) scores.set(id, 0);
  const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b);

  const places: ChunkPlace[] = [];
  for (const [id] of best) {
    if (places.length >= limit) break;
    places.push(...placesOf(db, id));
  }
  return { places, weights };
}

const newestWith = (db: IndexDb, match: string): number[] =>
  prepared<[string, number], { id: number }>(
    db,
    "SELECT rowid AS id FROM terms WHERE terms MATCH ? ORDER BY rowid DESC LIMIT ?",
  )
    .all(match, NEWEST)
    .map(({ id }) => id);

// CROSS JOIN keeps the order: without statistics SQLite may begin with the whole of `live`.
const placesOf = (db: IndexDb, textId: number): ChunkPlace[] =>
  prepared<[number, number], ChunkPlace>(
    db,
    `SELECT live.path, live.language, start_line AS startLine, end_line AS endLine, kind, name, signature,
       text_id AS textId, text_hash AS textHash
     FROM chunks CROSS JOIN live USING (blob_id) CROSS JOIN texts ON texts.id = text_id
     WHERE text_id = ? ORDER BY live.path LIMIT ?`,
  ).all(textId, MAX_PLACES_OF_TEXT);

/** @returns `""` when it is gone by now */
export const textById = (db: IndexDb, id: number): string =>
  prepared<[number], { text: string }>(db, "SELECT text FROM texts WHERE id = ?").get(id)?.text ?? "";
