/** Names that the file uses: what stands near the cursor, and what was used before is used again. */
import { COMMON_WORDS } from "@dhi/core/identifiers";
import { prepared } from "@dhi/core/index-db";
import type { Use } from "../../graph/scope.ts";
import { type Clues, NEARNESS_LINES } from "./clues.ts";
import type { Cursor } from "./cursor.ts";

/** Uses around the cursor that are read; what is further away in a longer file says little. */
const USES_LINES = 600;
const MAX_USES = 1_500;
/** Names that are neither called nor a type nor imported, such as constants, count this near to the cursor only. */
const PLAIN_ABOVE = 24;
const PLAIN_BELOW = 6;

/** @returns the file's uses around the cursor, in the order of the text */
export function usesAround({ db, tree, path, line }: Cursor): readonly Use[] {
  return tree.once(`uses ${path} ${line}`, () =>
    prepared<[string, number, number, number], Use>(
      db,
      `SELECT live.path, name, receiver, line, enclosing FROM live CROSS JOIN refs USING (blob_id)
       WHERE live.path = ? AND line BETWEEN ? AND ? ORDER BY ordinal LIMIT ?`,
    ).all(path, line - USES_LINES, line + USES_LINES, MAX_USES),
  );
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

/** After all others that know names: beyond the lines next to the cursor only those are looked for. */
export function addNearby(clues: Clues, cursor: Cursor): void {
  const { path, line, partial, above, below } = cursor;
  const plain = (name: string) => {
    if (name.length < 2 || COMMON_WORDS.has(name.toLowerCase())) return undefined;
    return clues.addUse(name, { path, name, receiver: null, line, enclosing: null });
  };
  above.forEach((names, distance) => {
    for (const name of new Set(names)) {
      if (distance === 0 && name === partial) continue;
      const clue = clues.has(name) ? clues.of(name) : distance < PLAIN_ABOVE ? plain(name) : undefined;
      if (!clue) continue;
      clue.signals.near += Math.exp(-distance / NEARNESS_LINES);
      clue.signals.above++;
      if (distance === 0) clue.signals.inLine = 1;
    }
  });
  below.forEach((names, distance) => {
    for (const name of new Set(names)) {
      const clue = clues.has(name) ? clues.of(name) : distance < PLAIN_BELOW ? plain(name) : undefined;
      if (clue) clue.signals.below += Math.exp(-distance / NEARNESS_LINES);
    }
  });
}
