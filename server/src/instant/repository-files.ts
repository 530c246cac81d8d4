/** Reads the repository's texts out of `index.db`, in pieces small enough not to hold up a completion. */
import type { IndexDb } from "@dhi/core/index-db";
import { languageOf } from "@dhi/core/languages";

export interface IndexedFile {
  readonly path: string;
  readonly blob: string;
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
      `SELECT path, blob, language, bytes FROM files
       WHERE path > ? AND blob IS NOT NULL AND bytes BETWEEN 1 AND ? ORDER BY path LIMIT ?`,
    )
    .all(after, MAX_FILE_BYTES, PAGE);
}

/** @returns "" when the blob is gone, or not yet analysed */
export function textOf(db: IndexDb, { blob, language }: IndexedFile): string {
  return db
    .prepare<[string, string], { text: string }>(
      `SELECT texts.text FROM chunks JOIN texts USING (text_hash)
       WHERE blob = ? AND language = ? ORDER BY ordinal`,
    )
    .all(blob, language)
    .map((row) => row.text)
    .join("");
}

export function symbolsOf(db: IndexDb, { blob, language }: IndexedFile): string[] {
  return db
    .prepare<[string, string], { name: string }>("SELECT name FROM symbols WHERE blob = ? AND language = ?")
    .all(blob, language)
    .map((row) => row.name);
}

/** For when not all fit: code that has a grammar before other text, small before large. */
export function mostRelevantFirst(files: readonly IndexedFile[]): IndexedFile[] {
  return files
    .map((file) => ({ file, rank: languageOf(file.path).grammar === undefined ? 1 : 0 }))
    .sort((a, b) => a.rank - b.rank || a.file.bytes - b.file.bytes)
    .map(({ file }) => file);
}
