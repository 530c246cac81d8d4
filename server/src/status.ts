/** `GET /v1/status`: what this server serves, with what, and how far the index is. */
import type { StatusResponse } from "@dhi/core/protocol";
import { VERSION } from "@dhi/core/version";
import type { IndexerClient } from "./indexer-client.ts";
import type { RunningConfig } from "./model/running-config.ts";
import type { RequestStats } from "./request-stats.ts";
import type { Workspaces } from "./workspaces.ts";

export interface StatusDeps {
  readonly workspaces: Pick<Workspaces, "all">;
  readonly running: Pick<RunningConfig, "now">;
  readonly indexer: IndexerClient;
  readonly stats: RequestStats;
}

const TIMEOUT_MS = 2_000;
const STARTED_AT = new Date().toISOString();

export async function status(
  { workspaces, running, indexer, stats }: StatusDeps,
  signal: AbortSignal,
): Promise<StatusResponse> {
  const { asked, engine, degrade } = running.now;
  const timely = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const [{ status: state, detail }, statuses] = await Promise.all([
    engine.health(timely),
    indexer.status(timely).catch(() => []),
  ]);
  const { format, mode } = asked();
  const served = workspaces.all.map(({ name, path }, i) => ({
    ...{ name, path },
    // Both read the same settings, so the order is the same; the name of one may not be known here yet.
    indexer: statuses[i] ?? null,
  }));
  return {
    version: VERSION,
    startedAt: STARTED_AT,
    workspaces: served,
    engine: {
      ...{ name: engine.name, model: engine.model, format: format.id, status: state, detail },
      step: degrade.now.now,
    },
    mode,
    indexer: served[0]?.indexer ?? null,
    ...stats.snapshot(),
  };
}
