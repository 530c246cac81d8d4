/**
 * Uses of the names near the cursor, where the definition leg finds definitions: the lines of a chunk on which the rarest
 * and nearest of them stand together, and those that follow.
 */
import { excerpt } from "../excerpt.ts";
import type { Leg } from "../leg.ts";
import { namedText } from "../named-text.ts";
import { nearness } from "../nearness.ts";
import { MIN_PARTIAL } from "../query.ts";
import { textById, textsWith } from "../texts-with.ts";
import { wantedNames } from "../wanted-names.ts";

const MAX_FOUND = 24;
/**
 * Chunks whose lines are compared; as wholes they are in a rough order only. Twice as many gave the same figures on the
 * development packages, and cost a millisecond at a new place.
 */
const MAX_COMPARED = 32;

/** The nearest; measured (docs/eval, development packages), more of them find less, and cost more. */
const MAX_NAMES = 12;

/** Whole identifiers only: their sub-words (`path`, `get`) are in half of all files, and bring what only looks alike. */
export const lexicalLeg: Leg = (db, query) => {
  const start = query.partial.length >= MIN_PARTIAL ? query.partial.toLowerCase() : "";
  const names = nearness({ names: query.names.slice(0, MAX_NAMES) });
  const { places, weights } = textsWith(db, { names, start, limit: MAX_COMPARED });
  const startWeight = start ? (weights.get(start) ?? 0) : 0;
  const weighed = {
    names: wantedNames(weights),
    start: startWeight ? { of: start, weight: startWeight } : undefined,
  };
  return places
    .filter(({ language }) => query.wants(language))
    .map((place) =>
      excerpt(
        place,
        namedText(place.textHash, () => textById(db, place.textId)),
        weighed,
      ),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND);
};
