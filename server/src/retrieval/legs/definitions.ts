/** Definitions, in other files, that the next tokens are likely to need. */
import type { Leg } from "../leg.ts";
import { likelyDefinitions } from "../names/likely-definitions.ts";
import { symbolCandidates } from "../symbol-candidates.ts";

const MAX_DEFINITIONS = 24;

export const definitionsLeg: Leg = (db, query) =>
  likelyDefinitions(db, query, MAX_DEFINITIONS).flatMap(({ definition, score }) =>
    symbolCandidates(db, [definition]).map((candidate) => ({ ...candidate, score })),
  );
