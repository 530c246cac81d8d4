/** Which texts of the work tree have no vector yet, as `index.db` knows it. */
import { type IndexDb, prepared, textHash } from "@dhi/core/index-db";

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

/**
 * Takes the vector of a text that differs in nothing but the blank lines behind it: a function that moved to the end of
 * its file is one.
 *
 * @returns whether there was such a text
 */
export function takeTwinsVector(db: IndexDb, { hash, text }: LiveText, embedder: string): boolean {
  const core = text.trimEnd();
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  for (let lines = 0; lines <= 3; lines++) {
    const twin = vectorOf(db, textHash(core + newline.repeat(lines)), embedder);
    if (!twin) continue;
    putVector(db, hash, embedder, twin);
    return true;
  }
  return false;
}

/** Reads no vector. */
export const hasVector = (db: IndexDb, hash: string, embedder: string): boolean =>
  prepared<[string, string], unknown>(
    db,
    "SELECT 1 FROM texts JOIN embeddings ON text_id = texts.id WHERE text_hash = ? AND embedder = ?",
  ).get(hash, embedder) !== undefined;

const vectorOf = (db: IndexDb, hash: string, embedder: string): Buffer | undefined =>
  prepared<[string, string], { vector: Buffer }>(
    db,
    "SELECT vector FROM texts JOIN embeddings ON text_id = texts.id WHERE text_hash = ? AND embedder = ?",
  ).get(hash, embedder)?.vector;
