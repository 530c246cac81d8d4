/** `GET /health`: what works, part by part, and what that means for the whole. */
import type { Component, HealthResponse, IndexerStatus } from "@dhi/core/protocol";
import { describeError } from "@dhi/core/upstream-error";
import { VERSION } from "@dhi/core/version";
import type { Degrade } from "./degrade/degrade.ts";
import type { IndexerClient } from "./indexer-client.ts";
import type { RunningConfig } from "./model/running-config.ts";
import type { Workspaces } from "./workspaces.ts";

export interface HealthDeps {
  readonly running: Pick<RunningConfig, "now">;
  readonly workspaces: Pick<Workspaces, "all">;
  readonly indexer: IndexerClient;
}

/** A part that does not answer in this time counts as down; a health check of its own ends after some seconds too. */
const TIMEOUT_MS = 2_000;

export async function health(
  { running, workspaces, indexer }: HealthDeps,
  signal: AbortSignal,
): Promise<HealthResponse> {
  const { engine, degrade } = running.now;
  const timely = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const [engineHealth, collections, statuses] = await Promise.all([
    engine.health(timely),
    Promise.all(
      workspaces.all.map(({ vectors, index }) =>
        vectors.health(index.get(), timely).catch((error: unknown): Component => {
          signal.throwIfAborted();
          return { status: "down", detail: describeError(error) };
        }),
      ),
    ),
    indexer.status(timely).catch((error: unknown) => describeError(error)),
  ]);
  const components = {
    engine: withStep(engineHealth, degrade.now),
    chroma: worstOf([...collections, ...failedWrites(statuses)]),
    ...indexerComponents(statuses),
  };
  return { status: overall(components), components, version: VERSION };
}

/** An engine that cannot keep up works, but not as well as it could. */
function withStep(component: Component, { now, detail }: Degrade["now"]): Component {
  if (now === "full" || component.status !== "ok") return component;
  return { status: "degraded", detail: `${component.detail}; ${now}: ${detail}` };
}

/** A Chroma whose disk is full answers all the same; that it takes nothing more is what the indexer knows. */
function failedWrites(statuses: readonly IndexerStatus[] | string): Component[] {
  if (typeof statuses === "string") return [];
  return statuses.flatMap(({ state, vectors }) =>
    vectors.status === "down" && state !== "failed" ? { status: "degraded", detail: vectors.detail } : [],
  );
}

/** @param statuses or, in words, why there are none */
function indexerComponents(
  statuses: readonly IndexerStatus[] | string,
): Pick<HealthResponse["components"], "indexer" | "embedder"> {
  if (typeof statuses === "string") {
    return {
      indexer: { status: "down", detail: statuses },
      embedder: { status: "down", detail: "the indexer does not answer" },
    };
  }
  const open = statuses.filter(({ state }) => state !== "failed");
  const named = (status: IndexerStatus, detail: string) =>
    statuses.length > 1 ? `${status.workspace}: ${detail}` : detail;
  return {
    indexer: {
      status: open.length === statuses.length ? "ok" : open.length ? "degraded" : "down",
      detail: statuses.map((status) => named(status, progressOf(status))).join("; "),
    },
    embedder: worstOf(
      (open.length ? open : statuses).map((status) => ({
        status: status.embedder.status,
        detail: named(status, embeddingOf(status)),
      })),
    ),
  };
}

function progressOf({ state, error, files, chunks, job }: IndexerStatus): string {
  if (state === "failed") return error ?? "failed";
  const progress = job?.state === "running" ? `, ${job.files} of ${job.filesTotal} files seen` : "";
  return `${state}: ${files} files, ${chunks} chunks${progress}`;
}

function embeddingOf({ embedder, pendingEmbeddings }: IndexerStatus): string {
  const pending = pendingEmbeddings ? `, ${pendingEmbeddings} texts to embed` : "";
  return `${embedder.id}: ${embedder.detail}${pending}`;
}

const WORST_FIRST = ["down", "degraded", "starting", "ok"] as const;

/** The state of a part that several workspaces use, from how it is in each. @param components at least one */
function worstOf(components: readonly Component[]): Component {
  const status = WORST_FIRST.find((s) => components.some((c) => c.status === s)) ?? "down";
  const details = components.filter((c) => c.status === status).map((c) => c.detail);
  return { status, detail: [...new Set(details)].join("; ") };
}

/** Completions need the engine alone; everything else makes them better, so its loss only degrades. */
function overall(components: HealthResponse["components"]): HealthResponse["status"] {
  if (components.engine.status === "down" || components.engine.status === "starting")
    return components.engine.status;
  return Object.values(components).every((c) => c.status === "ok") ? "ok" : "degraded";
}
