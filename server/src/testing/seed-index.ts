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
}

/** Each chunk is a file of its own, of one line per line of its text. */
export function seedIndex(dir: string, chunks: readonly SeedChunk[]): IndexDb {
  const db = openIndexForWriting(dir);
  for (const { path, text, symbols = [], gone } of chunks) {
    const hash = textHash(text);
    const lines = text.split("\n").length;
    const { lastInsertRowid } = db
      .prepare("INSERT INTO texts (text_hash, text) VALUES (?, ?)")
      .run(hash, text);
    db.prepare("INSERT INTO terms (rowid, words) VALUES (?, ?)").run(
      lastInsertRowid,
      termsOf(text).join(" "),
    );
    db.prepare("INSERT INTO chunks VALUES (?, 'typescript', 0, 'function', NULL, NULL, NULL, 1, ?, ?)").run(
      path,
      lines,
      hash,
    );
    for (const name of symbols) {
      db.prepare("INSERT INTO symbols VALUES (?, 'typescript', ?, 'function', '', NULL, 1, 1, 1)").run(
        path,
        name,
      );
    }
    if (!gone)
      db.prepare("INSERT INTO files VALUES (?, ?, 'typescript', ?, 0, NULL)").run(path, path, text.length);
  }
  return db;
}
