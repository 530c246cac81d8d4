/** What was edited lately: as the editor says, or else as unsaved buffers and the files' times tell. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { treeOf } from "../graph/tree.ts";
import type { FileRange, RetrievalQuery } from "./query.ts";

/** What was saved longer ago belongs to another task. */
const LATELY_MS = 30 * 60_000;
/** So many files at once are a checkout, not edits. */
const MAX_SAVED = 16;
/** Of the last changed paths so many are looked at; a file that is typed in is there once per keystroke. */
const MAX_CHANGES = 400;
const MAX_RANGES = 24;

/** How long an answer about files' times is kept. */
const KEEP_MS = 60_000;

/** @returns the newest first, without what overlaps a newer one; a saved file is one range, since what it was is not known */
export function editedRanges(db: IndexDb, { recentEdits, path }: RetrievalQuery): FileRange[] {
  const ranges = recentEdits.length ? recentEdits : editsIn(db, path);
  const apart: FileRange[] = [];
  for (const range of ranges) {
    if (apart.length === MAX_RANGES) break;
    if (!apart.some((newer) => overlap(newer, range))) apart.push(range);
  }
  return apart;
}

function editsIn(db: IndexDb, path: string): readonly FileRange[] {
  const minute = Math.floor(Date.now() / KEEP_MS);
  const tree = treeOf(db);
  const saved = tree
    .untilChange(`saved until ${minute}`, () => savedLately(db))
    .filter((range) => range.path !== path);
  return [
    ...tree.untilChange(`unsaved beside ${path}`, () => unsaved(db, path)),
    ...(saved.length > MAX_SAVED ? [] : saved),
  ];
}

const overlap = (a: FileRange, b: FileRange): boolean =>
  a.path === b.path && a.startLine <= b.endLine && b.startLine <= a.endLine;

/** Chunks of other files' unsaved buffers that the file on the disk does not have. */
const unsaved = (db: IndexDb, path: string): FileRange[] =>
  prepared<[string, number], FileRange>(
    db,
    `SELECT documents.path, chunks.start_line AS startLine, chunks.end_line AS endLine
     FROM documents CROSS JOIN chunks ON chunks.blob_id = documents.blob_id LEFT JOIN files ON files.path = documents.path
     WHERE documents.path <> ? AND NOT EXISTS (
       SELECT 1 FROM chunks AS saved WHERE saved.blob_id = files.blob_id AND saved.text_id = chunks.text_id
     ) LIMIT ?`,
  ).all(path, MAX_RANGES);

/** Of all files: beyond {@link MAX_SAVED} one for the file that is typed in, and one that says that there are too many. */
function savedLately(db: IndexDb): FileRange[] {
  const changed = prepared<[number, number, number], { path: string }>(
    db,
    `WITH latest AS MATERIALIZED (SELECT path, seq FROM changes ORDER BY seq DESC LIMIT ?)
     SELECT latest.path FROM latest CROSS JOIN files ON files.path = latest.path
     WHERE files.mtime_ms > ? GROUP BY latest.path ORDER BY max(seq) DESC LIMIT ?`,
  ).all(MAX_CHANGES, Date.now() - LATELY_MS, MAX_SAVED + 2);
  return changed.map((row) => ({ path: row.path, startLine: 1, endLine: Number.MAX_SAFE_INTEGER }));
}
