/** Which lines were edited lately: what a completion is likely to go on with. Line numbers only, never code. */
import type { FimRequestInput } from "@dhi/core/protocol";

export type RecentEdit = NonNullable<FimRequestInput["recentEdits"]>[number];

/** One change of a document. Lines are 0-based, as editors count them. */
export interface LineChange {
  readonly path: string;
  /** First and last line that the change replaced. */
  readonly startLine: number;
  readonly endLine: number;
  /** Line breaks in the new text. */
  readonly addedLines: number;
}

export interface RecentEdits {
  changed(change: LineChange, nowMs: number): void;
  /** Newest first, 1-based and inclusive, for the wire. */
  list(nowMs: number): RecentEdit[];
}

const KEPT = 20;
const MAX_AGE_MS = 5 * 60_000;
/** Edits this close are one. */
const NEAR_LINES = 3;

interface Range extends RecentEdit {
  readonly at: number;
}

export function createRecentEdits(): RecentEdits {
  /** Newest first; ranges of one path do not overlap. */
  let ranges: Range[] = [];
  return {
    changed({ path, startLine, endLine, addedLines }, nowMs) {
      const grown = addedLines - (endLine - startLine);
      const first = startLine + 1;
      const last = endLine + 1;
      let edit: Range = { path, startLine: first, endLine: last + grown, at: nowMs };
      const others: Range[] = [];
      for (const range of ranges) {
        if (range.path !== path) others.push(range);
        else if (range.startLine > last + NEAR_LINES)
          others.push({ ...range, startLine: range.startLine + grown, endLine: range.endLine + grown });
        else if (range.endLine < first - NEAR_LINES) others.push(range);
        else edit = union(edit, range, last, grown);
      }
      ranges = [edit, ...others].slice(0, KEPT);
    },
    list(nowMs) {
      ranges = ranges.filter(({ at }) => nowMs - at <= MAX_AGE_MS);
      return ranges.map(({ path, startLine, endLine }) => ({ path, startLine, endLine }));
    },
  };
}

/** @param last line that the change replaced: what comes after it has moved by `grown` */
function union(edit: Range, range: Range, last: number, grown: number): Range {
  const end = range.endLine > last ? range.endLine + grown : edit.endLine;
  return {
    ...edit,
    startLine: Math.min(edit.startLine, range.startLine),
    endLine: Math.max(edit.endLine, end),
  };
}
