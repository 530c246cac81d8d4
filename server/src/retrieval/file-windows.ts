/** A live file in overlapping windows of lines, and which of them hold a name: made once per content. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { lineCount, type NamedText, toNamedText } from "./named-text.ts";
import { hitsIn, type WantedNames } from "./wanted-names.ts";

export interface FileWindows {
  readonly language: string;
  readonly text: NamedText;
  /** Different names of each window, which begins at `index * STEP_LINES`; at least one window. */
  readonly sizes: Uint32Array;
}

export const WINDOW_LINES = 16;
export const STEP_LINES = 4;
/** Longer files are mostly data. */
const MAX_BYTES = 128 * 1024;
/** Some 80 MB when all of them are as large as they may be, and 10 when they are like most. */
const MAX_KEPT = 256;

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
  let row = rowOf(db, path);
  if (row && !kept.has(keyOf(row))) {
    await pause();
    // The file may have changed meanwhile, and the old content be gone.
    row = rowOf(db, path);
  }
  if (!row) return undefined;
  const key = keyOf(row);
  const windows = kept.get(key) ?? windowsOf(textOf(db, row.id), row.language);
  kept.delete(key);
  kept.set(key, windows);
  const oldest = kept.keys().next();
  if (kept.size > MAX_KEPT && !oldest.done) kept.delete(oldest.value);
  return windows;
}

const keyOf = ({ language, hash }: Row): string => `${language} ${hash}`;

/** @returns indices of the windows that hold each wanted name, ascending, by its key; without names that none holds */
export function windowsWith(
  { text, sizes }: FileWindows,
  wanted: WantedNames,
): ReadonlyMap<number, readonly number[]> {
  const hits = hitsIn(text, wanted);
  const found = new Map<number, number[]>();
  const add = (window: number, key: number) => {
    const windows = found.get(key);
    if (windows) windows.push(window);
    else found.set(key, [window]);
  };
  eachWindow(
    hits.map(({ key }) => key),
    hits.map(({ line }) => line),
    sizes.length,
    add,
  );
  return found;
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

function windowsOf(content: string, language: string): FileWindows {
  const text = toNamedText(content);
  const sizes = new Uint32Array(countWindows(text));
  eachWindow(text.keys, text.lines, sizes.length, (window) => {
    sizes[window] = (sizes[window] ?? 0) + 1;
  });
  return { language, text, sizes };
}

const countWindows = (text: NamedText): number =>
  Math.max(1, Math.ceil((lineCount(text) - WINDOW_LINES) / STEP_LINES) + 1);

/**
 * @param keys of names in the order of the text
 * @param lines that they stand on
 * @param count of windows
 * @param visit called once for each window and each different name in it; those of one name ascending
 */
function eachWindow(
  keys: ArrayLike<number>,
  lines: ArrayLike<number>,
  count: number,
  visit: (window: number, key: number) => void,
): void {
  /** By key. */
  const lastVisited = new Map<number, number>();
  for (let i = 0; i < keys.length; i++) {
    const [key = 0, line = 0] = [keys[i], lines[i]];
    const first = Math.max(0, Math.ceil((line + 1 - WINDOW_LINES) / STEP_LINES));
    const last = Math.min(count - 1, Math.floor(line / STEP_LINES));
    const before = lastVisited.get(key) ?? -1;
    for (let window = Math.max(first, before + 1); window <= last; window++) visit(window, key);
    if (last > before) lastVisited.set(key, last);
  }
}
