/** Reads the repository's texts out of `index.db`, in pieces small enough not to hold up a completion. */
import type { IndexDb } from "@dhi/core/index-db";
import { languageOf } from "@dhi/core/languages";

export interface IndexedFile {
  readonly path: string;
  /** `blobs.id`: the same for the same content read as the same language. */
  readonly blob: number;
  readonly language: string;
  readonly bytes: number;
}

/** Longer files are mostly data. */
export const MAX_FILE_BYTES = 128 * 1024;
const PAGE = 2_000;

/** Changes with every commit of the indexer, and costs next to nothing to ask. */
export const dataVersion = (db: IndexDb): unknown => db.pragma("data_version", { simple: true });

/**
 * @param after path of the last file of the page before; "" for the first page
 * @returns the next files that may be read, in the order of their paths; empty after the last
 */
export function filesAfter(db: IndexDb, after: string): IndexedFile[] {
  return db
    .prepare<[string, number, number], IndexedFile>(
      `SELECT path, blob_id AS blob, language, bytes FROM live
       WHERE path > ? AND bytes BETWEEN 1 AND ? ORDER BY path LIMIT ?`,
    )
    .all(after, MAX_FILE_BYTES, PAGE);
}

/** @returns "" when the blob is gone, or not yet analysed */
export function textOf(db: IndexDb, { blob }: IndexedFile): string {
  return db
    .prepare<[number], { text: string }>(
      "SELECT texts.text FROM chunks JOIN texts ON texts.id = text_id WHERE blob_id = ? ORDER BY ordinal",
    )
    .all(blob)
    .map((row) => row.text)
    .join("");
}

export function symbolsOf(db: IndexDb, { blob }: IndexedFile): string[] {
  return db
    .prepare<[number], { name: string }>("SELECT name FROM symbols WHERE blob_id = ? ORDER BY ordinal")
    .all(blob)
    .map((row) => row.name);
}

/** For when not all fit: code that has a grammar before other text, small before large. */
export function mostRelevantFirst(files: readonly IndexedFile[]): IndexedFile[] {
  return files
    .map((file) => ({ file, rank: languageOf(file.path).grammar === undefined ? 1 : 0 }))
    .sort((a, b) => a.rank - b.rank || a.file.bytes - b.file.bytes)
    .map(({ file }) => file);
}
