/** The reverse of writing an analysis: a content leaves nothing behind that no other content has. */
import { type IndexDb, prepared } from "@dhi/core/index-db";

const USES = ["files", "documents", "live"];
const PARTS = ["symbols", "refs", "imports"];

/** Runs inside the caller's transaction. @returns whether it was forgotten: one that lies at a path stays */
export function forgetBlob(db: IndexDb, id: number): boolean {
  const uses = USES.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE blob_id = :id)`).join(" OR ");
  if (prepared<[{ id: number }], { used: 0 | 1 }>(db, `SELECT ${uses} AS used`).get({ id })?.used !== 0)
    return false;
  const texts = prepared<[number], { id: number }>(
    db,
    "DELETE FROM chunks WHERE blob_id = ? RETURNING text_id AS id",
  ).all(id);
  for (const table of PARTS) prepared<[number], never>(db, `DELETE FROM ${table} WHERE blob_id = ?`).run(id);
  prepared<[number], never>(db, "DELETE FROM blobs WHERE id = ?").run(id);
  for (const text of new Set(texts.map((row) => row.id))) forgetText(db, text);
  return true;
}

function forgetText(db: IndexDb, id: number): void {
  const { changes } = prepared<{ id: number }[], never>(
    db,
    "DELETE FROM texts WHERE id = :id AND NOT EXISTS (SELECT 1 FROM chunks WHERE text_id = :id)",
  ).run({ id });
  if (!changes) return;
  prepared<[number], never>(db, "DELETE FROM terms WHERE rowid = ?").run(id);
  prepared<[number], never>(db, "DELETE FROM embeddings WHERE text_id = ?").run(id);
}
