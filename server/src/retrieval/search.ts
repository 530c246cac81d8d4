/** `POST /search`: the retrieval legs asked with a person's words instead of the code around a cursor. */
import { identifiersOf, termsOf } from "@dhi/core/identifiers";
import type { SearchRequest } from "@dhi/core/protocol";
import { type Candidate, chunksByTerms, definitionsOf, definitionsStartingWith } from "./chunk-rows.ts";
import { fuse } from "./fuse.ts";
import type { IndexHandle } from "./index-handle.ts";
import type { LegName } from "./leg.ts";
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
  if (mode === "symbols" || mode === "hybrid") {
    const names = [...new Set(identifiersOf(query))];
    const exact = names.flatMap((name) => definitionsOf(db, name, limit));
    const starting = names.filter((n) => n.length > 2).flatMap((n) => definitionsStartingWith(db, n, limit));
    ranked.set("definitions", [...exact, ...starting]);
  }
  if (mode === "lexical" || mode === "hybrid")
    ranked.set("lexical", chunksByTerms(db, termsOf(query), limit * 2));
  if (mode === "vector") ranked.set("vector", await vectors.search(db, query, limit * 2, signal));
  if (mode === "hybrid") {
    ranked.set("vector", await vectors.search(db, query, limit * 2, signal).catch(() => []));
    signal.throwIfAborted();
  }
  return fuse(ranked, { limit, maxPerFile: limit });
}
