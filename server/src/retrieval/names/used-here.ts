/** Names that the file uses: what stands near the cursor, and what was used before is used again. */
import { COMMON_WORDS } from "@dhi/core/identifiers";
import { prepared } from "@dhi/core/index-db";
import type { Use } from "../../graph/scope.ts";
import type { Clues } from "./clues.ts";
import type { Cursor } from "./cursor.ts";

/** Uses around the cursor that are read; what is further away in a longer file says little. */
const USES_LINES = 600;
const MAX_USES = 1_500;
/** Names that are neither called nor a type nor imported, such as constants, count this near to the cursor only. */
const PLAIN_ABOVE = 24;
const PLAIN_BELOW = 6;
/** Of lines below the cursor, one so far away counts a third of the nearest. */
const FADING_LINES = 8;

/** Uses are read for all lines of a stretch at once: someone who types goes from one line to the next. */
const STRETCH_LINES = 256;
/** Only data has more. */
const MOST_READ = 4 * MAX_USES;

/** @returns the file's uses around the cursor, in the order of the text */
export function usesAround({ db, tree, path, line }: Cursor): readonly Use[] {
  const stretch = Math.floor(line / STRETCH_LINES);
  const from = stretch * STRETCH_LINES - USES_LINES;
  const to = (stretch + 1) * STRETCH_LINES + USES_LINES;
  const uses = tree.ofFile(path, `uses ${path} ${stretch}`, () =>
    prepared<[string, number, number, number], Use>(
      db,
      `SELECT live.path, name, receiver, line, enclosing FROM live CROSS JOIN refs USING (blob_id)
       WHERE live.path = ? AND line BETWEEN ? AND ? ORDER BY ordinal LIMIT ?`,
    ).all(path, from, to, MOST_READ),
  );
  return uses.filter((use) => Math.abs(use.line - line) <= USES_LINES).slice(0, MAX_USES);
}

export function addUsedHere(clues: Clues, cursor: Cursor): void {
  for (const use of usesAround(cursor)) {
    if (isUnfinished(cursor, use)) continue;
    const { signals } = clues.addUse(use.name, use);
    signals.inFile++;
    if (cursor.receiver !== null && use.receiver === cursor.receiver) signals.ofReceiver = 1;
  }
}

/** What is being typed is no use yet. */
export const isUnfinished = ({ line, partial }: Cursor, use: Use): boolean =>
  use.line === line && use.name === partial;

/** After all others that know names: those that nothing else speaks for count next to the cursor only. */
export function addNearby(clues: Clues, { path, line, partial, above, below }: Cursor): void {
  function plain(name: string): void {
    if (name.length < 2 || name === partial || COMMON_WORDS.has(name.toLowerCase()) || clues.has(name))
      return;
    clues.addUse(name, { path, name, receiver: null, line, enclosing: null });
  }
  for (const names of above.slice(0, PLAIN_ABOVE)) names.forEach(plain);
  for (const names of below.slice(0, PLAIN_BELOW)) names.forEach(plain);
  for (const name of above[0] ?? []) if (clues.has(name)) clues.of(name).signals.inLine = 1;
  below.forEach((names, distance) => {
    for (const name of new Set(names))
      if (clues.has(name)) clues.of(name).signals.below += Math.exp(-distance / FADING_LINES);
  });
}
