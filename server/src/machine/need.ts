/** How much memory a model of Ollama needs, from what it says of itself. */

/** As the metadata of its file have it. */
export interface ModelShape {
  readonly layers: number;
  /** Of keys and values; as many as of queries, or fewer that are shared. */
  readonly kvHeads: number;
  /** Numbers a head. */
  readonly keyLength: number;
  readonly valueLength: number;
}

export interface Need {
  /** Of the context's cache; `null` for a model that does not tell its shape. */
  readonly context: number | null;
  readonly all: number;
}

/** Keys and values are kept as f16 unless OLLAMA_KV_CACHE_TYPE says otherwise. */
const BYTES_PER_NUMBER = 2;
/** f32 scores of a batch of 512 tokens for each token of a vocabulary of 152,000 (Qwen's; others have fewer). */
const RUNNER_BYTES = 4 * 512 * 152_000;

export const FORMULA = {
  words:
    "files + context × layers × KV heads × (key length + value length) × 2 bytes + 0.3 GB for the runner's own buffers",
  source: "ollama/ollama fs/ggml/ggml.go, GraphSize; f16 cache, one context (OLLAMA_NUM_PARALLEL=1)",
} as const;

/** @param weights of its files, in bytes @param contextTokens of prompt and completion */
export function needOf(weights: number, shape: ModelShape | undefined, contextTokens: number): Need {
  const context =
    shape === undefined
      ? null
      : contextTokens *
        shape.layers *
        shape.kvHeads *
        (shape.keyLength + shape.valueLength) *
        BYTES_PER_NUMBER;
  return { context, all: weights + (context ?? 0) + RUNNER_BYTES };
}
