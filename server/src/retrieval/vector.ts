/** Nearest chunks by meaning: from Chroma, and of what changed last from `index.db` itself. */
import { embedderById } from "@dhi/core/create-embedder";
import type { Embedder } from "@dhi/core/embedder";
import { type IndexDb, readMeta, vectorId } from "@dhi/core/index-db";
import type { Component } from "@dhi/core/protocol";
import { createVectorStore, type VectorHit, type VectorStore } from "@dhi/core/vector-store";
import { type Candidate, chunkByText } from "./chunk-rows.ts";
import { createVectorOverlay } from "./vector-overlay.ts";

export interface VectorSearchConfig {
  readonly CHROMA_HOST: string;
  readonly OLLAMA_HOST: string;
  readonly OLLAMA_KEEP_ALIVE: string;
  readonly OLLAMA_NUM_THREAD?: number | undefined;
}

export interface VectorSearch {
  /**
   * @returns nearest first; `[]` while the index names no collection. When Chroma fails, what changed last is found all the
   * same.
   * @throws {UpstreamError} when the embedder fails, or Chroma does and nothing has changed
   */
  search(db: IndexDb, text: string, limit: number, signal: AbortSignal): Promise<Candidate[]>;
  health(db: IndexDb | undefined, signal: AbortSignal): Promise<Component>;
}

/** Queries whose embedding is kept: a caret block is asked for again at each keystroke of its line. */
const CACHED_QUERIES = 64;
/** An embedding goes on when its keystroke is over, since the next one asks for it again; but not for ever. */
const EMBED_TIMEOUT_MS = 10_000;

export function createVectorSearch(config: VectorSearchConfig): VectorSearch {
  const embeddings = new Map<string, Promise<number[]>>();
  const overlay = createVectorOverlay();
  let current: { collection: string; embedder: Embedder; store: VectorStore } | undefined;

  /** The index says what it was built with; that changes when the embedder does. */
  function openFor(db: IndexDb): typeof current {
    const collection = readMeta(db, "collection");
    const embedderId = readMeta(db, "embedder");
    if (!collection || !embedderId) return undefined;
    if (current?.collection !== collection || current.embedder.id !== embedderId) {
      embeddings.clear();
      current = {
        collection,
        embedder: embedderById(embedderId, config),
        store: createVectorStore({ url: config.CHROMA_HOST, collection }),
      };
    }
    return current;
  }

  function embed(embedder: Embedder, text: string): Promise<number[]> {
    const known = embeddings.get(text);
    if (known) return known;
    const made = embedder.embedQuery(text, AbortSignal.timeout(EMBED_TIMEOUT_MS));
    embeddings.set(text, made);
    made.catch(() => embeddings.delete(text));
    const oldest = embeddings.keys().next();
    if (embeddings.size > CACHED_QUERIES && !oldest.done) embeddings.delete(oldest.value);
    return made;
  }

  return {
    async search(db, text, limit, signal) {
      const open = openFor(db);
      if (!open || !text) return [];
      const vector = await embed(open.embedder, text);
      signal.throwIfAborted();
      overlay.refresh(db, open.embedder.id, vector.length);
      // The next search may bring another embedder's vectors in while Chroma is asked.
      const fresh = overlay.nearest(vector, limit);
      const hits = await open.store.query(vector, limit, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (fresh.length === 0) throw error;
        return [];
      });
      return liveChunks(db, nearestOf([...fresh, ...hits]), limit);
    },
    async health(db, signal) {
      const open = db && openFor(db);
      if (!open) return { status: "starting", detail: "the index names no collection yet" };
      return open.store.health(signal);
    },
  };
}

/** @returns each chunk once, nearest first */
function nearestOf(hits: readonly VectorHit[]): VectorHit[] {
  const byId = new Map(hits.map((hit) => [vectorId(hit.path, hit.textHash), hit]));
  return [...byId.values()].sort((a, b) => a.distance - b.distance);
}

/** Without what left the tree since. */
function liveChunks(db: IndexDb, hits: readonly VectorHit[], limit: number): Candidate[] {
  const found: Candidate[] = [];
  for (const { path, textHash } of hits) {
    if (found.length === limit) break;
    const chunk = chunkByText(db, path, textHash);
    if (chunk) found.push(chunk);
  }
  return found;
}
