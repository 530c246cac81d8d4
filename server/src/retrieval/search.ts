/** `POST /search`: the retrieval legs asked with a person's words instead of the code around a cursor. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { COMMON_WORDS, identifiersOf, termsOf } from "@dhi/core/identifiers";
import type { LegName, SearchRequest } from "@dhi/core/protocol";
import { type Candidate, chunksByTerms, definitionsOf, definitionsStartingWith } from "./chunk-rows.ts";
import { fuse } from "./fuse.ts";
import type { IndexHandle } from "./index-handle.ts";
import type { Snippet } from "./snippet.ts";
import type { VectorSearch } from "./vector.ts";

export interface SearchDeps {
  readonly index: IndexHandle;
  readonly vectors: VectorSearch;
}

/**
 * @throws {UpstreamError} in mode `vector`; a hybrid search goes on with the other legs
 */
export async function search(
  { query, n_results: limit, mode }: SearchRequest,
  { index, vectors }: SearchDeps,
  signal: AbortSignal,
): Promise<Snippet[]> {
  const db = index.get();
  if (!db) return [];
  const ranked = new Map<LegName, Candidate[]>();
  let asksForName = false;
  const vector =
    mode === "vector" || mode === "hybrid" ? vectors.search(db, query, limit * 2, signal) : undefined;
  // The other legs hold up this process: the question should be on its way to Chroma before.
  if (vector) await Promise.race([vector.catch(() => {}), nextTurn()]);
  if (mode === "symbols" || mode === "hybrid") {
    const names = namesIn(query);
    const exact = names.flatMap((name) => definitionsOf(db, name, limit));
    const starting = names.filter((n) => n.length > 2).flatMap((n) => definitionsStartingWith(db, n, limit));
    ranked.set("definitions", [...exact, ...starting]);
    asksForName = exact.length > 0 && names[0] === query.trim();
  }
  if (mode === "lexical" || mode === "hybrid")
    ranked.set("lexical", chunksByTerms(db, termsOf(query), limit * 2));
  if (vector) ranked.set("vector", await (mode === "hybrid" ? vector.catch(() => []) : vector));
  signal.throwIfAborted();
  return fuse(ranked, {
    ...{ limit, maxPerFile: limit },
    weights: { definitions: asksForName ? WHERE_DEFINED : 1 },
  });
}

/** Whoever asks for one name wants its definition before the texts that hold it often, which two other legs find. */
const WHERE_DEFINED = 3;

/** A pasted file has thousands; a question has a few. */
const MAX_NAMES = 16;

/** Words of any sentence are left out, unless there is nothing else: names begin with them by chance. */
function namesIn(query: string): string[] {
  const all = [...new Set(identifiersOf(query))];
  const telling = all.filter((name) => !COMMON_WORDS.has(name.toLowerCase()));
  return (telling.length ? telling : all).slice(0, MAX_NAMES);
}
