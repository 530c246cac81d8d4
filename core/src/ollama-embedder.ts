/** Embeddings from Ollama's `/api/embed`. */
import { withDeadline } from "./deadline.ts";
import type { Embedder } from "./embedder.ts";
import { ollamaClient, ollamaError, ollamaKeepAlive } from "./ollama.ts";
import { UpstreamError } from "./upstream-error.ts";
import { withoutPiecesOf } from "./without-pieces.ts";

export interface OllamaEmbedderOptions {
  readonly host: string;
  readonly model: string;
  /** As OLLAMA_KEEP_ALIVE has it. */
  readonly keepAlive: string;
  /** CPU threads; without it Ollama takes one per core. */
  readonly numThread?: number | undefined;
}

/** What a model wants in front of each text. A model that is not named here wants nothing. */
const taskPrefixes: Readonly<Record<string, { readonly document: string; readonly query: string }>> = {
  // https://huggingface.co/nomic-ai/nomic-embed-text-v1.5, "Task instruction prefixes"
  "nomic-embed-text": { document: "search_document: ", query: "search_query: " },
  // https://huggingface.co/nomic-ai/nomic-embed-text-v2-moe, "Usage"
  "nomic-embed-text-v2-moe": { document: "search_document: ", query: "search_query: " },
};
const noPrefixes = { document: "", query: "" };

const BATCH = 32;
/** Ollama embeds one text at a time; a second call has it read and answer meanwhile. */
const PARALLEL = 2;
/** A cold model on a slow disk plus a batch of long texts on a CPU. */
const BATCH_MS = 300_000;

/** @throws {UpstreamError} from its methods, when Ollama fails or its answer is not one finite vector per text */
export function createOllamaEmbedder({ host, model, keepAlive, numThread }: OllamaEmbedderOptions): Embedder {
  const prefixes = taskPrefixes[model.replace(/^.*\//, "").replace(/:.*$/, "")] ?? noPrefixes;

  async function embed(input: string[], signal: AbortSignal): Promise<number[][]> {
    return withDeadline(BATCH_MS, signal, async (limited) => {
      try {
        const { embeddings } = await ollamaClient(host, limited).embed({
          model,
          input,
          // A text over the model's context is cut at its end, which costs less than having no vector for it.
          truncate: true,
          keep_alive: ollamaKeepAlive(keepAlive),
          ...(numThread !== undefined && { options: { num_thread: numThread } }),
        });
        checkVectors(embeddings, input.length, model);
        return embeddings;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof UpstreamError) throw error;
        if (limited.aborted) throw new UpstreamError("ollama", limited.reason.message, { cause: error });
        throw withoutQuotes(ollamaError(error, host, limited), input);
      }
    });
  }

  return {
    id: `ollama:${model}`,
    batchSize: BATCH,
    parallel: PARALLEL,
    embedDocuments: (texts, signal) =>
      texts.length
        ? embed(
            texts.map((t) => prefixes.document + t),
            signal,
          )
        : Promise.resolve([]),
    async embedQuery(text, signal) {
      const [vector] = await embed([prefixes.query + text], signal);
      return vector ?? [];
    },
  };
}

/** Runners quote the text that they could not take, and what they say is logged. */
function withoutQuotes(error: unknown, input: readonly string[]): unknown {
  if (error instanceof UpstreamError) error.message = withoutPiecesOf(input, error.message);
  return error;
}

function checkVectors(vectors: number[][], count: number, model: string): void {
  const bad = (what: string) => new UpstreamError("ollama", `${model} gave ${what}`);
  if (!Array.isArray(vectors) || vectors.length !== count)
    throw bad(`${vectors?.length ?? 0} vectors for ${count} texts`);
  const length = vectors[0]?.length ?? 0;
  for (const vector of vectors) {
    if (vector.length === 0 || vector.length !== length)
      throw bad(`vectors of ${length} and ${vector.length} numbers`);
    // JSON has no NaN; Go's encoder refuses it and other servers write null.
    if (!vector.every(Number.isFinite)) throw bad("a vector with something that is no number");
    if (vector.every((x) => x === 0)) throw bad("a vector of zeros, which has no direction");
  }
}
