/** `dhi index --watch`: a line for each change of the index, until it is interrupted. */
import { setTimeout as sleep } from "node:timers/promises";
import type { IndexerStatus, StatusResponse } from "@dhi/core/protocol";
import type { Call } from "./command.ts";
import { hasFields } from "./server.ts";

const LOOK_EVERY_MS = 500;

/** @throws {ServerAway} {ServerRefused} */
export async function watchIndex({ server, surroundings, workspace, json }: Call): Promise<void> {
  const { print, progress } = surroundings;
  const signal = surroundings.interrupted?.();
  let before = "";
  while (!signal?.aborted) {
    const { workspaces } = await server.get("/v1/status", {}, isStatus);
    const statuses = workspaces
      .filter(({ name }) => workspace === undefined || name === workspace)
      .flatMap(({ indexer }) => indexer ?? []);
    const now = json
      ? JSON.stringify(statuses)
      : statuses.map(describe).join("\n") || "the indexer does not answer";
    if (now !== before) {
      progress?.("");
      print(now);
    }
    before = now;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

const isStatus = hasFields<StatusResponse>("workspaces");

function describe({
  workspace,
  state,
  files,
  chunks,
  symbols,
  pendingEmbeddings,
  error,
}: IndexerStatus): string {
  const pending = pendingEmbeddings ? `, ${pendingEmbeddings} to embed` : "";
  return `${workspace}: ${error ?? state}: ${files} files, ${chunks} chunks, ${symbols} symbols${pending}`;
}
