/** Tells which paths hold another content than before, asked of SQLite itself: no writer can forget to say so. */
import type { IndexDb } from "@dhi/core/index-db";

/**
 * @param db the connection that writes; what other connections write is not seen
 * @param onChange gets a path whose content may differ, in the middle of the transaction that changes it: it must only
 * take note. A transaction that is rolled back was reported all the same.
 * @returns how to stop
 */
export function watchFileRows(db: IndexDb, onChange: (path: string) => void): () => void {
  db.function("dhi_file_changed", (path) => {
    onChange(String(path));
    return null;
  });
  stop(db);
  // Temporary triggers belong to this connection alone. BEFORE, because REPLACE hides the old row from AFTER INSERT.
  db.exec(`
    CREATE TEMP TRIGGER dhi_file_put BEFORE INSERT ON main.live
    WHEN NOT EXISTS (
      SELECT 1 FROM main.live l WHERE l.path = new.path AND l.blob_id = new.blob_id
    ) BEGIN SELECT dhi_file_changed(new.path); END;
    CREATE TEMP TRIGGER dhi_file_set AFTER UPDATE ON main.live
    WHEN old.path <> new.path OR old.blob_id <> new.blob_id
    BEGIN SELECT dhi_file_changed(old.path), dhi_file_changed(new.path); END;
    CREATE TEMP TRIGGER dhi_file_gone AFTER DELETE ON main.live
    BEGIN SELECT dhi_file_changed(old.path); END;
    -- A blob that an older chunker had read gets other chunks while it is live.
    CREATE TEMP TRIGGER dhi_blob_set AFTER UPDATE OF chunker ON main.blobs
    BEGIN SELECT dhi_file_changed(l.path) FROM main.live l WHERE l.blob_id = new.id; END;
  `);
  return () => stop(db);
}

function stop(db: IndexDb): void {
  if (!db.open) return;
  for (const name of ["dhi_file_put", "dhi_file_set", "dhi_file_gone", "dhi_blob_set"])
    db.exec(`DROP TRIGGER IF EXISTS temp.${name}`);
}
