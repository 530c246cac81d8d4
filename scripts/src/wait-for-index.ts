/** Follows the first sync of the indexer on the screen. */
import { setTimeout as sleep } from "node:timers/promises";
import { type IndexerStatus, indexerStatus } from "@dhi/core/protocol";
import { createProgress } from "./progress.ts";
import { StartProblem } from "./start-problem.ts";

/**
 * Embedding a large repository on a CPU takes long, and completions are useful before: after this long without the
 * last vectors we go on, and the indexer finishes in the background.
 */
const EMBEDDING_PATIENCE_MS = 90_000;

/**
 * @returns the status once every file is in and the vectors are, or patience for them has ended
 * @throws {StartProblem} when the sync failed
 */
export async function waitForIndex(indexerUrl: string, signal: AbortSignal): Promise<IndexerStatus> {
  const progress = createProgress("Indexing");
  let filesDoneAt: number | undefined;
  try {
    for (;;) {
      // The indexer may be between two lives; the supervisor tells about that.
      const now = await askStatus(indexerUrl, signal).catch(() => undefined);
      signal.throwIfAborted();
      if (now) {
        if (now.state === "failed")
          throw new StartProblem(`indexing failed: ${now.error ?? "no reason given"}`);
        show(now, progress.update);
        if (now.state === "watching") filesDoneAt ??= Date.now();
        if (isComplete(now)) return now;
        if (filesDoneAt !== undefined && Date.now() - filesDoneAt > EMBEDDING_PATIENCE_MS) return now;
      }
      await sleep(150, undefined, { signal });
    }
  } finally {
    progress.stop();
  }
}

/** In the user's words, several lines. */
export function describeIndex(status: IndexerStatus, took: string): string {
  const parsed = status.counters.filesParsed;
  const skipped = Object.entries(status.skipped).map(([reason, count]) => `${count} ${reason}`);
  return [
    `Index: ${status.files} files, ${status.chunks} chunks, ${status.symbols} definitions in ${took}; ${parsed} files parsed now`,
    skipped.length ? `  left out: ${skipped.join(", ")}` : "",
    `  embedder ${status.embedder.id}: ${status.embedder.detail}`,
    isComplete(status)
      ? ""
      : `  ${status.pendingEmbeddings} chunks still wait for their vectors; that goes on in the background`,
  ]
    .filter(Boolean)
    .join("\n");
}

const isComplete = (status: IndexerStatus): boolean =>
  status.state === "watching" && status.pendingEmbeddings === 0 && status.vectors.status !== "catching-up";

async function askStatus(indexerUrl: string, signal: AbortSignal): Promise<IndexerStatus> {
  const response = await fetch(`${indexerUrl}/status`, { signal });
  return indexerStatus.parse(await response.json());
}

function show(status: IndexerStatus, update: (done: number, total: number, text: string) => void): void {
  const { job, pendingEmbeddings, vectors } = status;
  if (!job) return;
  const eta = job.etaMs === null || job.state !== "running" ? "" : ` · ${Math.ceil(job.etaMs / 1000)} s left`;
  const toEmbed = Math.max(status.chunks, vectors.stored + pendingEmbeddings);
  update(
    job.files + vectors.stored,
    job.filesTotal + toEmbed,
    `${job.files}/${job.filesTotal} files · ${status.chunks} chunks · ${vectors.stored}/${toEmbed} embedded${eta}`,
  );
}
