/** What was edited lately, as far as it shares names with the code at the cursor: work on one thing is in several places. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { editedRanges } from "../edited-ranges.ts";
import { type FileWindows, fileWindows } from "../file-windows.ts";
import type { Found, Leg } from "../leg.ts";
import { nearness } from "../nearness.ts";
import type { FileRange } from "../query.ts";
import { heaviestWindow } from "../window.ts";

/** Shown of an edit, with what surrounds a shorter one. */
const MAX_LINES = 16;
/** Looked at of a longer one. */
const MAX_RANGE_LINES = 400;
/**
 * An edit whose shared names weigh less is about something else. Low: of the names that a commit's lines need from other
 * files, its own edits have 27 % (Hono) and 43 % (Flask; docs/eval/edits.md), and stricter gates found half as many.
 */
const MIN_WEIGHT = 0.1;
/** Each further edit counts a little less. */
const FADE = 0.95;

export const editsLeg: Leg = async (db, query, signal) => {
  const wanted = nearness(query);
  const found: Found[] = [];
  for (const [age, range] of editedRanges(db, query).entries()) {
    const file = await fileWindows(db, range.path, () => nextTurn(undefined, { signal }));
    if (file && query.wants(file.language)) found.push(...shown(range, file, wanted, FADE ** age));
  }
  return found.sort((a, b) => b.score - a.score);
};

/** @returns nothing for what is unrelated, or not there any more */
function shown(
  range: FileRange,
  { lines, names, language }: FileWindows,
  wanted: ReadonlyMap<string, number>,
  recency: number,
): Found[] {
  const length = Math.min(range.endLine, lines.length) - range.startLine + 1;
  const around = Math.max(0, Math.floor((MAX_LINES - length) / 2));
  const first = Math.max(0, range.startLine - 1 - around);
  const looked = names.slice(first, Math.min(range.endLine + around, first + MAX_RANGE_LINES));
  const hits = looked.flatMap((onLine, line) =>
    onLine.flatMap((name) => {
      const counts = wanted.get(name);
      return counts ? [{ line, name, weight: counts }] : [];
    }),
  );
  const { start, end, weight } = heaviestWindow(looked.length, hits, MAX_LINES);
  if (weight < MIN_WEIGHT) return [];
  const text = lines.slice(first + start, first + end);
  return [
    {
      path: range.path,
      startLine: first + start + 1,
      endLine: first + start + text.length,
      language,
      kind: "lines",
      name: null,
      signature: null,
      text: text.join("\n"),
      score: weight * recency,
    },
  ];
}
