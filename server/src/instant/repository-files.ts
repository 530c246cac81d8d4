/** Reads the repository's texts out of `index.db`, in pieces small enough not to hold up a completion. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { languageById } from "@dhi/core/languages";
import type { FileUses } from "./file-uses.ts";

export interface IndexedFile {
  readonly path: string;
  /** `blobs.id`: the same for the same content read as the same language. */
  readonly blob: number;
  readonly language: string;
  readonly bytes: number;
}

/** Longer files are mostly data. */
export const MAX_FILE_BYTES = 128 * 1024;
/** Rows that are read in well under a slice of work. */
const PAGE = 500;

const FILE = "SELECT path, blob_id AS blob, language, bytes FROM live WHERE bytes BETWEEN 1 AND ?";

/**
 * @param after path of the last file of the page before; "" for the first page
 * @returns the next files that may be read, in the order of their paths; empty after the last
 */
export const filesAfter = (db: IndexDb, after: string): IndexedFile[] =>
  prepared<[number, string, number], IndexedFile>(db, `${FILE} AND path > ? ORDER BY path LIMIT ?`).all(
    MAX_FILE_BYTES,
    after,
    PAGE,
  );

/** @returns `undefined` when nothing there may be read */
export const fileAt = (db: IndexDb, path: string): IndexedFile | undefined =>
  prepared<[number, string], IndexedFile>(db, `${FILE} AND path = ?`).get(MAX_FILE_BYTES, path);

/** @returns "" when the blob is gone, or not yet analysed */
export const textOf = (db: IndexDb, { blob }: IndexedFile): string =>
  prepared<[number], { text: string }>(
    db,
    "SELECT texts.text FROM chunks JOIN texts ON texts.id = text_id WHERE blob_id = ? ORDER BY ordinal",
  )
    .all(blob)
    .map((row) => row.text)
    .join("");

export const symbolsOf = (db: IndexDb, { blob }: IndexedFile): string[] =>
  prepared<[number], { name: string }>(db, "SELECT name FROM symbols WHERE blob_id = ? ORDER BY ordinal")
    .all(blob)
    .map((row) => row.name);

/** Sizes are told apart this far, so that a hundred thousand files need no sorting. */
const SIZE_STEP = 256;
const SIZES = MAX_FILE_BYTES / SIZE_STEP + 1;

/** For when not all fit: what is used before the rest, code that is parsed before other text, small before large. */
export async function mostRelevantFirst(
  files: Iterable<IndexedFile>,
  uses: Pick<FileUses, "has" | "newestFirst">,
  pause: () => Promise<void> = async () => {},
): Promise<Iterable<IndexedFile>> {
  const used = new Map<string, IndexedFile>();
  const bySize: IndexedFile[][] = Array.from({ length: 2 * SIZES }, () => []);
  for (const file of files) {
    if (uses.has(file.path)) {
      used.set(file.path, file);
      continue;
    }
    const { grammar, embeds } = languageById(file.language);
    const isCode = grammar !== undefined || embeds !== undefined;
    bySize[Math.floor(file.bytes / SIZE_STEP) + (isCode ? 0 : SIZES)]?.push(file);
    await pause();
  }
  return inOrder([uses.newestFirst().flatMap((path) => used.get(path) ?? []), ...bySize]);
}

function* inOrder<T>(groups: readonly (readonly T[])[]): Generator<T> {
  for (const group of groups) yield* group;
}
