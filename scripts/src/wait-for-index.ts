/** Follows the first sync of the indexer on the screen. */
import { setTimeout as sleep } from "node:timers/promises";
import { type IndexerStatus, indexerStatus } from "@dhi/core/protocol";
import { createProgress, type Progress } from "./progress.ts";
import { StartProblem } from "./start-problem.ts";

/** Completions are good before the last vector is there, and nobody likes to wait: after this long they go on without. */
const VECTOR_PATIENCE_MS = 10_000;
const ASK_EVERY_MS = 150;

/**
 * @param patienceMs how long to wait for vectors once every file is in
 * @returns the status once every file is in and the vectors are, or patience for them has ended
 * @throws {StartProblem} when the sync failed
 */
export async function waitForIndex(
  indexerUrl: string,
  signal: AbortSignal,
  patienceMs: number = VECTOR_PATIENCE_MS,
): Promise<IndexerStatus> {
  const inStep = await followFiles(indexerUrl, signal);
  return hasAllVectors(inStep) ? inStep : followVectors(indexerUrl, signal, Date.now() + patienceMs);
}

/** @returns the first status with nothing left to embed, however long that takes */
export async function waitForVectors(indexerUrl: string, signal: AbortSignal): Promise<IndexerStatus> {
  for await (const now of statuses(indexerUrl, signal)) if (hasAllVectors(now)) return now;
  throw signal.reason;
}

/** In the user's words, several lines. */
export function describeIndex(status: IndexerStatus, took: string): string {
  const skipped = Object.entries(status.skipped).map(([reason, count]) => `${count} ${reason}`);
  return [
    `Index: ${status.files} files, ${status.chunks} chunks, ${status.symbols} definitions in ${took}; ${status.counters.filesParsed} files parsed now`,
    skipped.length ? `  left out: ${skipped.join(", ")}` : "",
    `  embedder ${status.embedder.id}, ${status.embedder.detail}`,
    hasAllVectors(status)
      ? ""
      : `  ${status.pendingEmbeddings} chunks still get their vectors, in the background; completions use names and words until then`,
  ]
    .filter(Boolean)
    .join("\n");
}

export const hasAllVectors = (status: IndexerStatus): boolean =>
  status.state === "watching" && status.pendingEmbeddings === 0 && status.vectors.status !== "catching-up";

async function followFiles(indexerUrl: string, signal: AbortSignal): Promise<IndexerStatus> {
  const progress = createProgress("Indexing");
  try {
    for await (const now of statuses(indexerUrl, signal)) {
      if (now.state === "failed")
        throw new StartProblem(`indexing failed: ${now.error ?? "no reason given"}`);
      showFiles(now, progress);
      if (now.state === "watching") return now;
    }
    throw signal.reason;
  } finally {
    progress.stop();
  }
}

async function followVectors(
  indexerUrl: string,
  signal: AbortSignal,
  deadline: number,
): Promise<IndexerStatus> {
  const progress = createProgress("Embedding");
  try {
    for await (const now of statuses(indexerUrl, signal)) {
      showVectors(now, progress);
      if (hasAllVectors(now) || Date.now() >= deadline) return now;
    }
    throw signal.reason;
  } finally {
    progress.stop();
  }
}

/** Ends only with the signal's own error. */
async function* statuses(indexerUrl: string, signal: AbortSignal): AsyncGenerator<IndexerStatus> {
  for (; ; await sleep(ASK_EVERY_MS, undefined, { signal })) {
    // The indexer may be between two lives; the supervisor tells about that.
    const now = await askStatus(indexerUrl, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (now) yield now;
  }
}

async function askStatus(indexerUrl: string, signal: AbortSignal): Promise<IndexerStatus> {
  const response = await fetch(`${indexerUrl}/status`, { signal });
  return indexerStatus.parse(await response.json());
}

function showFiles({ job }: IndexerStatus, progress: Progress): void {
  if (!job) return;
  const eta = job.etaMs === null || job.state !== "running" ? "" : ` · ${Math.ceil(job.etaMs / 1000)} s left`;
  progress.update(job.files, job.filesTotal, `${job.files}/${job.filesTotal} files${eta}`);
}

function showVectors(status: IndexerStatus, progress: Progress): void {
  const { stored } = status.vectors;
  const toStore = hasAllVectors(status) ? stored : Math.max(status.chunks, stored + status.pendingEmbeddings);
  progress.update(stored, toStore, `${stored}/${toStore} vectors`);
}
