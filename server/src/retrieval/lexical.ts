/** BM25 over the identifiers near the cursor: finds uses, where the definition leg finds definitions. */
import { termsOf } from "@dhi/core/identifiers";
import { chunksByTerms } from "./chunk-rows.ts";
import type { Leg } from "./leg.ts";

const MAX_TERMS = 40;
const MAX_CHUNKS = 24;

export const lexicalLeg: Leg = (db, { names, partial }) =>
  chunksByTerms(db, termsOf([partial, ...names].join(" ")).slice(0, MAX_TERMS), MAX_CHUNKS);
