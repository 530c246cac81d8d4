/** BM25 over the identifiers near the cursor: finds uses, where the definition leg finds definitions. */
import { chunksByTerms } from "../chunk-rows.ts";
import { byRank, type Leg } from "../leg.ts";
import { MIN_PARTIAL } from "../query.ts";

const MAX_CHUNKS = 24;

/** Whole identifiers only: their sub-words (`path`, `get`) are in half of all files, and bring what only looks alike. */
export const lexicalLeg: Leg = (db, { names, partial }) =>
  byRank(
    chunksByTerms(
      db,
      names.map((name) => name.toLowerCase()),
      MAX_CHUNKS,
      partial.length >= MIN_PARTIAL ? partial.toLowerCase() : "",
    ),
  );
