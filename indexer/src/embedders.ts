/** One embedder of each kind, however many workspaces use it: a model server answers one call after the other. */
import { type ChosenEmbedder, chooseEmbedder, type EmbedderConfig } from "@dhi/core/create-embedder";
import type { Embedder } from "@dhi/core/embedder";

export interface Embedders {
  /** As {@link chooseEmbedder}; the same embedder for all who get one of that id. */
  choose(previousId: string | undefined, signal: AbortSignal): Promise<ChosenEmbedder>;
}

export function createEmbedders(config: EmbedderConfig): Embedders {
  const shared = new Map<string, Embedder>();
  return {
    async choose(previousId, signal) {
      const chosen = await chooseEmbedder(config, previousId, signal);
      const embedder = shared.get(chosen.embedder.id) ?? inTurns(chosen.embedder);
      shared.set(embedder.id, embedder);
      return { ...chosen, embedder };
    },
  };
}

/** Never more calls at once than the embedder wants, whoever makes them: who comes first is served first. */
export function inTurns(embedder: Embedder): Embedder {
  const waiting: (() => void)[] = [];
  let free = embedder.parallel ?? 1;

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      if (free > 0) {
        free--;
        return resolve();
      }
      waiting.push(begin);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  function end(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    ...embedder,
    async embedDocuments(texts, signal) {
      await turn(signal);
      try {
        return await embedder.embedDocuments(texts, signal);
      } finally {
        end();
      }
    },
  };
}
