/** `GET /v1/status`: what this server serves, with what, and how far the index is. */
import type { ContextMode, StatusResponse } from "@dhi/core/protocol";
import { VERSION } from "@dhi/core/version";
import type { Engine } from "./engines/engine.ts";
import type { IndexerClient } from "./indexer-client.ts";
import type { FimFormat } from "./prompt/fim-format.ts";
import type { RequestStats } from "./request-stats.ts";

export interface StatusDeps {
  readonly workspace: string;
  readonly completion: {
    readonly format: FimFormat;
    readonly mode: ContextMode;
    readonly repoName: () => string;
  };
  readonly engine: Engine;
  readonly indexer: IndexerClient;
  readonly stats: RequestStats;
}

const TIMEOUT_MS = 2_000;

export async function status(
  { workspace, completion, engine, indexer, stats }: StatusDeps,
  signal: AbortSignal,
): Promise<StatusResponse> {
  const timely = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const [{ detail }, indexerStatus] = await Promise.all([
    engine.health(timely),
    indexer.status(timely).catch(() => null),
  ]);
  return {
    version: VERSION,
    workspaces: [{ name: completion.repoName(), path: workspace }],
    engine: { name: engine.name, model: engine.model, format: completion.format.id, detail },
    mode: completion.mode,
    indexer: indexerStatus,
    ...stats.snapshot(),
  };
}
