/**
 * What comes next where the names above the cursor were used before: after `transaction.begin()` mostly `commit`. A bigram
 * model over the index's uses, read at the time of asking.
 */
import { prepared } from "@dhi/core/index-db";
import { familyOf } from "../../graph/resolve/languages.ts";
import type { Use } from "../../graph/scope.ts";
import type { Clues } from "./clues.ts";
import type { Cursor } from "./cursor.ts";
import { isUnfinished, usesAround } from "./used-here.ts";

/** Names above the cursor that are looked for elsewhere, the nearest first, from so many lines. */
const ANCHORS = 4;
const ANCHOR_LINES = 40;
/** Places of each that are looked at, and uses after each place. */
const PLACES = 24;
const REACH = 4;

interface Follower extends Use {
  /** 1: the use right after the anchor's. */
  readonly gap: number;
}

export function addFollowers(clues: Clues, cursor: Cursor): void {
  const { db, tree, family, receiver } = cursor;
  anchorsOf(cursor).forEach((anchor, rank) => {
    const found = tree.untilChange(`followers ${anchor}`, () =>
      prepared<[string, number], Follower>(
        db,
        `WITH places AS MATERIALIZED (SELECT blob_id, ordinal FROM refs WHERE name = ? LIMIT ?)
       SELECT live.path, refs.name, refs.receiver, refs.line, refs.enclosing, refs.ordinal - places.ordinal AS gap
       FROM places CROSS JOIN live USING (blob_id) CROSS JOIN refs ON refs.blob_id = places.blob_id
         AND refs.ordinal BETWEEN places.ordinal + 1 AND places.ordinal + ${REACH}`,
      ).all(anchor, PLACES),
    );
    // Of an anchor that is used once or twice, chance says a lot.
    const places = Math.max(MIN_PLACES, found.length / REACH);
    for (const use of found) {
      if (use.name === anchor || familyOf(use.path) !== family) continue;
      const { signals } = clues.addUse(use.name, use);
      signals.follows += 1 / ((rank + 1) * use.gap * places);
      if (rank === 0 && use.gap === 1) signals.followsLast += 1 / places;
      if (receiver !== null && use.receiver === receiver)
        signals.ofReceiver = Math.max(signals.ofReceiver, 0.5);
    }
  });
}

const MIN_PLACES = 3;

function anchorsOf(cursor: Cursor): readonly string[] {
  const anchors = new Set<string>();
  for (const use of usesAround(cursor).toReversed()) {
    if (use.line > cursor.line || use.line <= cursor.line - ANCHOR_LINES || isUnfinished(cursor, use))
      continue;
    anchors.add(use.name);
    if (anchors.size === ANCHORS) break;
  }
  return [...anchors];
}
