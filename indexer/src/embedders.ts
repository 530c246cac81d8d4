/** One embedder of each kind, however many workspaces use it: a model server answers one call after the other. */
import { type ChosenEmbedder, chooseEmbedder, type EmbedderConfig } from "@dhi/core/create-embedder";
import type { Embedder } from "@dhi/core/embedder";
import type { AnalysisThreads } from "./analysis-threads.ts";

export interface Embedders {
  /** As {@link chooseEmbedder}; the same embedder for all who get one of that id. */
  choose(previousId: string | undefined, signal: AbortSignal): Promise<ChosenEmbedder>;
}

/** @param threads make the vectors of an embedder that is instant: the built-in one */
export function createEmbedders(
  config: EmbedderConfig,
  threads: Pick<AnalysisThreads, "size" | "embed">,
): Embedders {
  const shared = new Map<string, Embedder>();
  return {
    async choose(previousId, signal) {
      const chosen = await chooseEmbedder(config, previousId, signal);
      const embedder = shared.get(chosen.embedder.id) ?? inTurns(inThreads(chosen.embedder, threads));
      shared.set(embedder.id, embedder);
      return { ...chosen, embedder };
    },
  };
}

function inThreads(embedder: Embedder, threads: Pick<AnalysisThreads, "size" | "embed">): Embedder {
  if (!embedder.isInstant) return embedder;
  return {
    ...embedder,
    // One for each thread would leave it nothing to do while its answer is stored.
    parallel: 2 * threads.size,
    embedDocuments: (texts, signal) =>
      texts.length > FEW ? threads.embed(texts) : embedder.embedDocuments(texts, signal),
  };
}

/** A save's worth: a thread would take longer to be asked than they take, about 0.1 ms each. */
const FEW = 8;

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
