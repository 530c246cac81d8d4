/** Which texts of the work tree have no vector yet, as `index.db` knows it. */
import { type IndexDb, prepared } from "@dhi/core/index-db";

/** The chunk that stands for a text. */
export interface LiveText {
  readonly hash: string;
  readonly path: string;
  readonly container: string | null;
  readonly signature: string | null;
  readonly text: string;
}

/** @returns up to `limit` paths of the work tree, in order */
export function livePaths(db: IndexDb, after: string, limit: number): string[] {
  return prepared<[string, number], { path: string }>(
    db,
    "SELECT path FROM live WHERE path > ? ORDER BY path LIMIT ?",
  )
    .all(after, limit)
    .map((row) => row.path);
}

/** @returns hashes */
export function textsWithoutVector(db: IndexDb, path: string, embedder: string): string[] {
  return prepared<[string, string], { hash: string }>(
    db,
    `SELECT t.text_hash AS hash FROM live JOIN chunks c USING (blob_id) JOIN texts t ON t.id = c.text_id
     WHERE live.path = ?
       AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.text_id = c.text_id AND e.embedder = ?)`,
  )
    .all(path, embedder)
    .map((row) => row.hash);
}

/** @returns the first path's, so that a vector does not depend on what came first; `undefined` when no path has it */
export function liveText(db: IndexDb, hash: string): LiveText | undefined {
  return prepared<[string], LiveText>(
    db,
    `SELECT t.text_hash AS hash, live.path, c.container, c.signature, t.text
     FROM texts t JOIN chunks c ON c.text_id = t.id JOIN live USING (blob_id)
     WHERE t.text_hash = ? ORDER BY live.path, c.ordinal LIMIT 1`,
  ).get(hash);
}

export function pathsWith(db: IndexDb, hash: string): string[] {
  return prepared<[string], { path: string }>(
    db,
    `SELECT DISTINCT live.path FROM texts t JOIN chunks c ON c.text_id = t.id JOIN live USING (blob_id)
     WHERE t.text_hash = ?`,
  )
    .all(hash)
    .map((row) => row.path);
}

export function putVector(db: IndexDb, hash: string, embedder: string, vector: Buffer): void {
  prepared<[string, Buffer, string], never>(
    db,
    "INSERT OR REPLACE INTO embeddings SELECT id, ?, ? FROM texts WHERE text_hash = ?",
  ).run(embedder, vector, hash);
}
