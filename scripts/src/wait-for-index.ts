/** Follows the first sync of the indexer on the screen. */
import { setTimeout as sleep } from "node:timers/promises";
import { type IndexerStatus, indexerResponse } from "@dhi/core/protocol";
import { createProgress, type Progress } from "./progress.ts";
import { StartProblem } from "./start-problem.ts";

/** One per workspace, in the order of the settings. */
export type Statuses = readonly IndexerStatus[];

/** Completions are good before the last vector is there, and nobody likes to wait: after this long they go on without. */
const VECTOR_PATIENCE_MS = 10_000;
const ASK_EVERY_MS = 150;

/**
 * @param patienceMs how long to wait for vectors once every file is in
 * @returns the status of each workspace once every file is in and the vectors are, or patience for them has ended
 * @throws {StartProblem} when no workspace can be indexed
 */
export async function waitForIndex(
  indexerUrl: string,
  signal: AbortSignal,
  patienceMs: number = VECTOR_PATIENCE_MS,
): Promise<Statuses> {
  const inStep = await followFiles(indexerUrl, signal);
  return hasAllVectors(inStep) ? inStep : followVectors(indexerUrl, signal, Date.now() + patienceMs);
}

/** @returns the first statuses with nothing left to embed, however long that takes */
export async function waitForVectors(indexerUrl: string, signal: AbortSignal): Promise<Statuses> {
  for await (const now of statuses(indexerUrl, signal)) if (hasAllVectors(now)) return now;
  throw signal.reason;
}

/** In the user's words, several lines. */
export function describeIndex(all: Statuses, took: string): string {
  const embedders = new Set(
    working(all).map(({ embedder: { id, detail } }) => `  embedder ${id}, ${detail}`),
  );
  return [
    ...all.map((status) => describeWorkspace(status, all.length > 1 ? `${status.workspace}, ` : "", took)),
    ...embedders,
    hasAllVectors(all)
      ? ""
      : `  ${storedVectors(all)} of ${expectedVectors(all)} vectors are there, the rest come in the background; completions use names and words until then`,
  ]
    .filter(Boolean)
    .join("\n");
}

function describeWorkspace(status: IndexerStatus, name: string, took: string): string {
  if (status.state === "failed") return `Index: ${name}left out: ${status.error ?? "no reason given"}`;
  const { files, chunks, symbols, counters } = status;
  const skipped = Object.entries(status.skipped).map(([reason, count]) => `${count} ${reason}`);
  const line = `Index: ${name}${files} files, ${chunks} chunks, ${symbols} definitions in ${took}; ${counters.filesParsed} files parsed now`;
  return skipped.length ? `${line}\n  left out: ${skipped.join(", ")}` : line;
}

/** Of a workspace that cannot be indexed nothing is expected. */
export const hasAllVectors = (all: Statuses): boolean =>
  working(all).every(
    ({ state, pendingEmbeddings, vectors }) =>
      state === "watching" && pendingEmbeddings === 0 && vectors.status !== "catching-up",
  );

export const storedVectors = (all: Statuses): number => sum(all, ({ vectors }) => vectors.stored);

/** A few too many while some are missing: chunks with the same text share one. */
const expectedVectors = (all: Statuses): number =>
  sum(all, ({ chunks, vectors, pendingEmbeddings }) => Math.max(chunks, vectors.stored + pendingEmbeddings));

async function followFiles(indexerUrl: string, signal: AbortSignal): Promise<Statuses> {
  const progress = createProgress("Indexing");
  try {
    for await (const now of statuses(indexerUrl, signal)) {
      if (!working(now).length)
        throw new StartProblem(`indexing failed: ${now[0]?.error ?? "no reason given"}`);
      showFiles(now, progress);
      if (working(now).every(({ state }) => state === "watching")) return now;
    }
    throw signal.reason;
  } finally {
    progress.stop();
  }
}

async function followVectors(indexerUrl: string, signal: AbortSignal, deadline: number): Promise<Statuses> {
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
async function* statuses(indexerUrl: string, signal: AbortSignal): AsyncGenerator<Statuses> {
  for (; ; await sleep(ASK_EVERY_MS, undefined, { signal })) {
    // The indexer may be between two lives; the supervisor tells about that.
    const now = await askStatus(indexerUrl, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (now) yield now;
  }
}

async function askStatus(indexerUrl: string, signal: AbortSignal): Promise<Statuses> {
  const response = await fetch(`${indexerUrl}/status`, { signal });
  return indexerResponse.parse(await response.json()).workspaces;
}

function showFiles(all: Statuses, progress: Progress): void {
  const jobs = working(all).flatMap(({ job }) => job ?? []);
  if (!jobs.length) return;
  const running = jobs.filter(({ state }) => state === "running");
  const slowest = Math.max(...running.map(({ etaMs }) => etaMs ?? Number.NEGATIVE_INFINITY));
  const eta = slowest >= 0 ? ` · ${Math.ceil(slowest / 1000)} s left` : "";
  const [files, total] = [sum(jobs, (job) => job.files), sum(jobs, (job) => job.filesTotal)];
  progress.update(files, total, `${files}/${total} files${eta}`);
}

function showVectors(all: Statuses, progress: Progress): void {
  const stored = storedVectors(all);
  const toStore = hasAllVectors(all) ? stored : expectedVectors(all);
  progress.update(stored, toStore, `${stored}/${toStore} vectors`);
}

const working = (all: Statuses): Statuses => all.filter(({ state }) => state !== "failed");

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((n, one) => n + of(one), 0);
