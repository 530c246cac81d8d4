/** What was edited lately, as far as it shares names with the code at the cursor: work on one thing is in several places. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { editedRanges } from "../edited-ranges.ts";
import { type FileWindows, fileWindows } from "../file-windows.ts";
import type { Found, Leg } from "../leg.ts";
import { lineCount, textOfLines } from "../named-text.ts";
import { nearness } from "../nearness.ts";
import type { FileRange } from "../query.ts";
import { hitsIn, type WantedNames, wantedNames } from "../wanted-names.ts";
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
  const wanted = wantedNames(nearness(query));
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
  { text, language }: FileWindows,
  wanted: WantedNames,
  recency: number,
): Found[] {
  const lines = lineCount(text);
  const length = Math.min(range.endLine, lines) - range.startLine + 1;
  const around = Math.max(0, Math.floor((MAX_LINES - length) / 2));
  const first = Math.max(0, range.startLine - 1 - around);
  const last = Math.min(range.endLine + around, first + MAX_RANGE_LINES, lines);
  const hits = hitsIn(text, wanted)
    .filter(({ line }) => line >= first && line < last)
    .map((hit) => ({ ...hit, line: hit.line - first }));
  const { start, end, weight } = heaviestWindow(Math.max(0, last - first), hits, MAX_LINES);
  if (weight < MIN_WEIGHT) return [];
  return [
    {
      path: range.path,
      startLine: first + start + 1,
      endLine: Math.min(lines, first + end),
      language,
      kind: "lines",
      name: null,
      signature: null,
      text: textOfLines(text, first + start, first + end),
      score: weight * recency,
    },
  ];
}
