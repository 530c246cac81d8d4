/** Chunks that mean something like the code above the cursor's line. */
import { byRank, type Leg } from "../leg.ts";
import type { VectorSearch } from "../vector.ts";

const NEAREST = 24;

/** Embeds the caret block, which stays the same while a line is typed: never once per keystroke. */
export const vectorLeg =
  (vectors: VectorSearch): Leg =>
  async (db, query, signal) =>
    byRank(await vectors.search(db, query.block, NEAREST, signal));
