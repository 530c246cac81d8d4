/** A live file in overlapping windows of lines, and which of them hold a name: made once per content. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { namesOf } from "./lined-text.ts";

export interface FileWindows {
  readonly language: string;
  readonly lines: readonly string[];
  /** Of each line. */
  readonly names: readonly (readonly string[])[];
  /** Different names of each window, which begins at `index * STEP_LINES`; at least one. */
  readonly sizes: readonly number[];
  /** Indices of the windows that hold a name, ascending. */
  readonly withName: ReadonlyMap<string, readonly number[]>;
}

export const WINDOW_LINES = 16;
export const STEP_LINES = 4;
/** Longer files are mostly data. */
const MAX_BYTES = 128 * 1024;
/** Some 70 MB when all of them are as large as they may be, and 5 when they are like most. */
const MAX_KEPT = 64;

interface Row {
  readonly id: number;
  readonly language: string;
  readonly hash: string;
}

const kept = new Map<string, FileWindows>();

/**
 * @param pause called before a file is read that is not known, which takes a few milliseconds
 * @returns `undefined` for what is not in the tree, or too large
 */
export async function fileWindows(
  db: IndexDb,
  path: string,
  pause: () => Promise<unknown>,
): Promise<FileWindows | undefined> {
  const row = rowOf(db, path);
  if (!row) return undefined;
  const key = `${row.language} ${row.hash}`;
  const known = kept.get(key);
  if (!known) await pause();
  const windows = known ?? windowsOf(textOf(db, row.id), row.language);
  kept.delete(key);
  kept.set(key, windows);
  const oldest = kept.keys().next();
  if (kept.size > MAX_KEPT && !oldest.done) kept.delete(oldest.value);
  return windows;
}

const rowOf = (db: IndexDb, path: string): Row | undefined =>
  prepared<[string, number], Row>(
    db,
    `SELECT blobs.id, live.language, blobs.blob AS hash FROM live CROSS JOIN blobs ON blobs.id = live.blob_id
     WHERE live.path = ? AND live.bytes <= ?`,
  ).get(path, MAX_BYTES);

const textOf = (db: IndexDb, blob: number): string =>
  prepared<[number], { text: string }>(
    db,
    "SELECT text FROM chunks CROSS JOIN texts ON texts.id = text_id WHERE blob_id = ? ORDER BY ordinal",
  )
    .all(blob)
    .map(({ text }) => text)
    .join("");

function windowsOf(text: string, language: string): FileWindows {
  const lines = text.split("\n");
  const count = Math.max(1, Math.ceil((lines.length - WINDOW_LINES) / STEP_LINES) + 1);
  const sizes = new Array<number>(count).fill(0);
  const names = lines.map(namesOf);
  const withName = new Map<string, number[]>();
  for (const [at, onLine] of names.entries()) {
    const first = Math.max(0, Math.ceil((at + 1 - WINDOW_LINES) / STEP_LINES));
    const last = Math.min(count - 1, Math.floor(at / STEP_LINES));
    for (const name of onLine) {
      const windows = withName.get(name) ?? [];
      if (windows.length === 0) withName.set(name, windows);
      for (let window = Math.max(first, (windows.at(-1) ?? -1) + 1); window <= last; window++) {
        windows.push(window);
        sizes[window] = (sizes[window] ?? 0) + 1;
      }
    }
  }
  return { language, lines, names, sizes, withName };
}
