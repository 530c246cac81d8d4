/** What turns text into vectors. Index and query must use the same one, so the index records its id. */

export interface Embedder {
  /** Names model and prefixes, e.g. `ollama:nomic-embed-text` or `hash:1`. Vectors of different ids never mix. */
  readonly id: string;
  /** The most texts one `embedDocuments` call should get. */
  readonly batchSize: number;
  /** Waits for no model: what is another text a moment later may be embedded too. */
  readonly isInstant?: boolean;
  /** How many calls may run at once; without it one. */
  readonly parallel?: number;
  /** @returns one row per text, in order; all rows have the model's dimension (768 for nomic-embed-text and hash) */
  embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<number[][]>;
  /** Some models embed questions differently from documents (nomic-embed-text: `search_query: `). */
  embedQuery(text: string, signal: AbortSignal): Promise<number[]>;
}
