/** Chunks that mean something like the code above the cursor's line. */
import { excerpt } from "../excerpt.ts";
import { byRank, type Leg } from "../leg.ts";
import { namedText } from "../named-text.ts";
import { nearness } from "../nearness.ts";
import type { VectorSearch } from "../vector.ts";
import { wantedNames } from "../wanted-names.ts";

const NEAREST = 24;

/** Embeds the caret block, which stays the same while a line is typed: never once per keystroke. */
export const vectorLeg =
  (vectors: VectorSearch): Leg =>
  async (db, query, signal) => {
    const names = wantedNames(nearness(query));
    const nearest = await vectors.search(db, query.block, NEAREST, signal);
    return byRank(nearest).map((found) => ({
      ...excerpt(
        found,
        namedText(found.text, () => found.text),
        { names },
      ),
      score: found.score,
    }));
  };
