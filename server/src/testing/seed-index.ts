/** A real `index.db` with rows made by hand, for tests that are about reading it. */

import { termsOf } from "@dhi/core/identifiers";
import { type IndexDb, openIndexForWriting, textHash } from "@dhi/core/index-db";

export interface SeedChunk {
  readonly path: string;
  readonly text: string;
  /** Defined in it, exported. */
  readonly symbols?: readonly string[];
  /** Known, but not in the work tree. */
  readonly gone?: boolean;
  /** Default `typescript`. */
  readonly language?: string;
}

/** Each chunk is a file of its own, of one line per line of its text. */
export function seedIndex(dir: string, chunks: readonly SeedChunk[]): IndexDb {
  const db = openIndexForWriting(dir);
  for (const { path, text, symbols = [], gone, language = "typescript" } of chunks) {
    const insert = (sql: string, ...values: unknown[]) =>
      Number(db.prepare(sql).run(...values).lastInsertRowid);
    const textId = insert("INSERT INTO texts (text_hash, text) VALUES (?, ?)", textHash(text), text);
    insert("INSERT INTO terms (rowid, words) VALUES (?, ?)", textId, termsOf(text).join(" "));
    const blobId = insert(
      `INSERT INTO blobs (blob, language, chunker, bytes, chunks, symbols, used_at)
       VALUES (?, ?, '', ?, 1, ?, 0)`,
      // As in a real index, another text is another blob.
      ...[textHash(`${path}\n${text}`), language, text.length, symbols.length],
    );
    insert(
      "INSERT INTO chunks VALUES (?, 0, 'function', NULL, NULL, NULL, 1, ?, ?)",
      ...[blobId, text.split("\n").length, textId],
    );
    symbols.forEach((name, ordinal) => {
      insert(
        "INSERT INTO symbols VALUES (?, ?, ?, 'function', '', NULL, 1, 1, 1)",
        ...[blobId, ordinal, name],
      );
    });
    if (gone) continue;
    insert("INSERT INTO files VALUES (?, ?, ?, ?, 0, NULL)", path, blobId, language, text.length);
    insert("INSERT INTO live VALUES (?, ?, ?, ?)", path, blobId, language, text.length);
  }
  return db;
}
