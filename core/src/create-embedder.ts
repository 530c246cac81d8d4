/** Settings → embedder: the only place that knows all of them. */
import { withDeadline } from "./deadline.ts";
import type { Embedder } from "./embedder.ts";
import { createHashEmbedder } from "./hash-embedder.ts";
import { ollamaModels, sameModel } from "./ollama.ts";
import { createOllamaEmbedder } from "./ollama-embedder.ts";
import { describeError, isAbortError } from "./upstream-error.ts";

/** As `sharedEnv` reads them. */
export interface EmbedderConfig {
  readonly EMBEDDER: "auto" | "ollama" | "hash";
  readonly EMBED_MODEL: string;
  readonly OLLAMA_HOST: string;
  readonly OLLAMA_KEEP_ALIVE: string;
  readonly OLLAMA_NUM_THREAD?: number | undefined;
}

export interface ChosenEmbedder {
  readonly embedder: Embedder;
  /** Why this one, for the log and `/health`. */
  readonly detail: string;
}

const ANSWER_MS = 3_000;
const OLLAMA_ID = "ollama:";

/**
 * `auto` takes Ollama when it answers and has the model, and the hash embedder otherwise.
 *
 * @param previousId what the index was last built with, if it was: an Ollama that is down right now does not throw away
 * the vectors it made, new texts wait for it
 */
export async function chooseEmbedder(
  config: EmbedderConfig,
  previousId: string | undefined,
  signal: AbortSignal,
): Promise<ChosenEmbedder> {
  const ollama = () => embedderById(`${OLLAMA_ID}${config.EMBED_MODEL}`, config);
  const at = `${config.EMBED_MODEL} at ${config.OLLAMA_HOST}`;
  if (config.EMBEDDER === "hash") return { embedder: createHashEmbedder(), detail: "EMBEDDER=hash" };
  if (config.EMBEDDER === "ollama") return { embedder: ollama(), detail: at };

  const missing = await whyNotOllama(config, signal);
  if (!missing) return { embedder: ollama(), detail: at };
  if (previousId === `${OLLAMA_ID}${config.EMBED_MODEL}`)
    return { embedder: ollama(), detail: `${missing}; new code waits for it` };
  return { embedder: createHashEmbedder(), detail: `without a model: ${missing}` };
}

/**
 * The embedder with that id, as an index names it.
 *
 * @throws {RangeError} for an id that no embedder has
 */
export function embedderById(
  id: string,
  config: Pick<EmbedderConfig, "OLLAMA_HOST" | "OLLAMA_KEEP_ALIVE" | "OLLAMA_NUM_THREAD">,
): Embedder {
  const hash = createHashEmbedder();
  if (id === hash.id) return hash;
  if (id.startsWith(OLLAMA_ID) && id.length > OLLAMA_ID.length) {
    return createOllamaEmbedder({
      host: config.OLLAMA_HOST,
      model: id.slice(OLLAMA_ID.length),
      keepAlive: config.OLLAMA_KEEP_ALIVE,
      numThread: config.OLLAMA_NUM_THREAD,
    });
  }
  throw new RangeError(`no embedder is called "${id}"`);
}

/** @returns `undefined` when Ollama answers and has the model */
async function whyNotOllama(config: EmbedderConfig, signal: AbortSignal): Promise<string | undefined> {
  try {
    const models = await withDeadline(ANSWER_MS, signal, (limited) =>
      ollamaModels(config.OLLAMA_HOST, limited),
    );
    if (models.some((m) => sameModel(m, config.EMBED_MODEL))) return undefined;
    return `Ollama at ${config.OLLAMA_HOST} has no ${config.EMBED_MODEL} (ollama pull ${config.EMBED_MODEL})`;
  } catch (error) {
    if (signal.aborted || isAbortError(error)) throw error;
    return describeError(error);
  }
}
