/** `GET /health`: what works, part by part, and what that means for the whole. */
import type { Component, HealthResponse, IndexerStatus } from "@dhi/core/protocol";
import { describeError } from "@dhi/core/upstream-error";
import { VERSION } from "@dhi/core/version";
import type { Engine } from "./engines/engine.ts";
import type { IndexerClient } from "./indexer-client.ts";
import type { IndexHandle } from "./retrieval/index-handle.ts";
import type { VectorSearch } from "./retrieval/vector.ts";

export interface HealthDeps {
  readonly engine: Engine;
  readonly vectors: VectorSearch;
  readonly index: IndexHandle;
  readonly indexer: IndexerClient;
}

/** A part that does not answer in this time counts as down; a health check of its own ends after some seconds too. */
const TIMEOUT_MS = 2_000;

export async function health(
  { engine, vectors, index, indexer }: HealthDeps,
  signal: AbortSignal,
): Promise<HealthResponse> {
  const timely = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const [engineHealth, chroma, status] = await Promise.all([
    engine.health(timely),
    vectors.health(index.get(), timely),
    indexer.status(timely).catch((error: unknown) => error),
  ]);
  const components = { engine: engineHealth, chroma, ...indexerComponents(status) };
  return { status: overall(components), components, version: VERSION };
}

function indexerComponents(status: unknown): Pick<HealthResponse["components"], "indexer" | "embedder"> {
  if (status instanceof Error) {
    const detail = describeError(status);
    return {
      indexer: { status: "down", detail },
      embedder: { status: "down", detail: "the indexer does not answer" },
    };
  }
  const { state, error, files, chunks, job, embedder, pendingEmbeddings } = status as IndexerStatus;
  const progress = job?.state === "running" ? `, ${job.files} of ${job.filesTotal} files seen` : "";
  const indexer: Component =
    state === "failed"
      ? { status: "down", detail: error ?? "failed" }
      : { status: "ok", detail: `${state}: ${files} files, ${chunks} chunks${progress}` };
  const pending = pendingEmbeddings ? `, ${pendingEmbeddings} texts to embed` : "";
  return {
    indexer,
    embedder: { status: embedder.status, detail: `${embedder.id}: ${embedder.detail}${pending}` },
  };
}

/** Completions need the engine alone; everything else makes them better, so its loss only degrades. */
function overall(components: HealthResponse["components"]): HealthResponse["status"] {
  if (components.engine.status === "down" || components.engine.status === "starting")
    return components.engine.status;
  return Object.values(components).every((c) => c.status === "ok") ? "ok" : "degraded";
}
