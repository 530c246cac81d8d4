/** Definitions, in other files, that the next tokens are likely to need. */
import { inTurns } from "../../graph/search-steps.ts";
import type { Leg } from "../leg.ts";
import { likelyDefinitions } from "../names/likely-definitions.ts";
import { symbolCandidates } from "../symbol-candidates.ts";

const MAX_DEFINITIONS = 24;

export const definitionsLeg: Leg = async (db, query, signal) => {
  // While others have their turn, another index may take this one's place.
  const isWanted = () => !signal.aborted && db.open;
  const search = likelyDefinitions(db, query, MAX_DEFINITIONS);
  const likely = await inTurns(search, Number.POSITIVE_INFINITY, isWanted);
  signal.throwIfAborted();
  return likely.flatMap(({ definition, score }) =>
    symbolCandidates(db, [definition]).map((candidate) => ({ ...candidate, score })),
  );
};
