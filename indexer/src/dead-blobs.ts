/** Contents that no path of the tree has any more, with all that hangs on them. */
import { type IndexDb, prepared } from "@dhi/core/index-db";

export interface DeadBlob {
  readonly id: number;
  readonly bytes: number;
  /** Unix seconds. */
  readonly usedAt: number;
  /** The same; 0 for what only saves have brought and taken. */
  readonly movedAt: number;
}

export interface BlobPage {
  readonly dead: readonly DeadBlob[];
  readonly liveBytes: number;
  /** The newest of all contents, live ones too. */
  readonly movedAt: number;
  readonly count: number;
  /** The last id; `undefined` at the end. */
  readonly last: number | undefined;
}

/** Looks through some contents, in the order of their ids. */
export function readBlobs(db: IndexDb, after: number, limit: number): BlobPage {
  const rows = prepared<[number, number], DeadBlob & { readonly isDead: 0 | 1 }>(
    db,
    `SELECT id, bytes, used_at AS usedAt, moved_at AS movedAt, ${IS_DEAD} AS isDead FROM blobs WHERE id > ? ORDER BY id LIMIT ?`,
  ).all(after, limit);
  let liveBytes = 0;
  let newestMove = 0;
  for (const { isDead, bytes, movedAt } of rows) {
    if (!isDead) liveBytes += bytes;
    newestMove = Math.max(newestMove, movedAt);
  }
  const dead = rows.filter(({ isDead }) => isDead);
  return { dead, liveBytes, movedAt: newestMove, count: rows.length, last: rows.at(-1)?.id };
}

const IS_DEAD = `
  (NOT EXISTS (SELECT 1 FROM files WHERE files.blob_id = blobs.id)
   AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.blob_id = blobs.id)
   -- SQLite gives the highest id away again, and others may remember it.
   AND id < (SELECT max(id) FROM blobs))`;

/** Runs inside the caller's transaction. Leaves a blob that is alive again. */
export function removeBlob(db: IndexDb, id: number): void {
  const gone = prepared<[number], never>(db, `DELETE FROM blobs WHERE id = ? AND ${IS_DEAD}`).run(id).changes;
  if (!gone) return;
  const texts = prepared<[number], { id: number }>(
    db,
    "SELECT DISTINCT text_id AS id FROM chunks WHERE blob_id = ?",
  ).all(id);
  for (const table of ["chunks", "symbols", "refs", "imports"])
    prepared<[number], never>(db, `DELETE FROM ${table} WHERE blob_id = ?`).run(id);
  for (const text of texts) removeTextOfNoChunk(db, text.id);
}

/** Texts that lost their chunks to a newer chunker. @returns the last id looked at; `undefined` at the end */
export function removeTextsOfNoChunk(db: IndexDb, after: number, limit: number): number | undefined {
  const ids = prepared<[number, number], { id: number }>(
    db,
    "SELECT id FROM texts WHERE id > ? ORDER BY id LIMIT ?",
  ).all(after, limit);
  for (const { id } of ids) removeTextOfNoChunk(db, id);
  return ids.at(-1)?.id;
}

function removeTextOfNoChunk(db: IndexDb, id: number): void {
  const isUsed = prepared<[number], unknown>(db, "SELECT 1 FROM chunks WHERE text_id = ?").get(id);
  if (isUsed) return;
  prepared<[number], never>(db, "DELETE FROM terms WHERE rowid = ?").run(id);
  prepared<[number], never>(db, "DELETE FROM embeddings WHERE text_id = ?").run(id);
  prepared<[number], never>(db, "DELETE FROM texts WHERE id = ?").run(id);
}

/** Removes the vectors of all embedders but one. @returns the last row looked at; `undefined` at the end */
export function removeOtherEmbeddings(
  db: IndexDb,
  embedder: string,
  after: number,
  limit: number,
): number | undefined {
  // The index on (text_id, embedder) answers this without reading a vector.
  const texts = prepared<[number, number], { id: number }>(
    db,
    "SELECT DISTINCT text_id AS id FROM embeddings WHERE text_id > ? ORDER BY text_id LIMIT ?",
  ).all(after, limit);
  for (const { id } of texts)
    prepared<[number, string], never>(db, "DELETE FROM embeddings WHERE text_id = ? AND embedder <> ?").run(
      id,
      embedder,
    );
  return texts.at(-1)?.id;
}
