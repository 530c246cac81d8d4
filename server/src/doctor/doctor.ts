/** `GET /v1/doctor`: everything a set-up needs, looked at at once, each with what to do about it. */
import { setMaxListeners } from "node:events";
import type { Check, DoctorResponse } from "@dhi/core/config-protocol";
import { withDeadline } from "@dhi/core/deadline";
import { describeError } from "@dhi/core/upstream-error";
import type { ServerConfig } from "../config.ts";
import type { IndexerClient } from "../indexer-client.ts";
import { installedModels } from "../model/metadata.ts";
import type { RunningConfig } from "../model/running-config.ts";
import type { Workspaces } from "../workspaces.ts";
import { type DoctorCheck, type Finding, isHere, type Setup, worstOf } from "./check.ts";
import { clock } from "./clock.ts";
import { embedder } from "./embedder.ts";
import { freshness, watcher, workspace } from "./files.ts";
import { diskSpace, git, gpu, memory, nodeVersion } from "./machine.ts";
import { ports } from "./ports.ts";
import { chroma, engine, indexer, model } from "./servers.ts";

/** In the order they are shown: what the later ones need comes first. */
export const checks: readonly DoctorCheck[] = [
  ...[nodeVersion, diskSpace, memory, ports, git],
  ...[workspace, indexer, freshness, watcher],
  ...[chroma, embedder],
  ...[engine, model, gpu, clock],
];

export interface DoctorDeps {
  readonly config: ServerConfig;
  readonly running: Pick<RunningConfig, "now" | "installed" | "measured">;
  readonly workspaces: Pick<Workspaces, "all">;
  readonly indexer: Pick<IndexerClient, "status">;
}

/** Of one check. Less, and a machine that is busy with the first index or a build gets no answers but that it is busy. */
const TIMEOUT_MS = 4_000;
/** Of a part that hangs, so that a check which asks others besides can still tell of those. */
const PART_MS = 3_000;
/** To say what it was that took too long. */
const GRACE_MS = 200;

/** Never fails: what cannot be found out is a finding. */
export async function examine(
  { config, running, workspaces, indexer: client }: DoctorDeps,
  signal: AbortSignal,
): Promise<DoctorResponse> {
  return withDeadline(2 * TIMEOUT_MS, signal, async (timely) => {
    // Each check listens to it, and so do the requests it makes.
    setMaxListeners(4 * checks.length, timely);
    const setup: Setup = {
      ...{ config, running, workspaces: workspaces.all },
      indexed: once(() => client.status(soon(timely))),
      models: once(() => installedModels(config.OLLAMA_HOST, soon(timely))),
      listed: once(() => running.installed(timely)),
      // There each part is a container of its own; a development container has all of them in one.
      inCompose: !isHere(config.INDEXER_HOST),
    };
    const found = await Promise.all(checks.map((check) => looked(check, setup, timely)));
    return { status: worstOf(found).status, checks: found };
  });
}

const soon = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(PART_MS)]);

async function looked(check: DoctorCheck, setup: Setup, signal: AbortSignal): Promise<Check> {
  const { id, title } = check;
  try {
    return { id, title, ...(await inTime(check, setup, signal)) };
  } catch (error) {
    signal.throwIfAborted();
    return { id, title, status: "warn", detail: `could not be found out: ${describeError(error)}` };
  }
}

/** A check that does not heed its signal is left behind. */
async function inTime(check: DoctorCheck, setup: Setup, signal: AbortSignal): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it took too long")), TIMEOUT_MS + GRACE_MS);
  });
  const look = withDeadline(TIMEOUT_MS, signal, async (timely) => check.look(setup, timely));
  look.catch(() => {});
  try {
    return await Promise.race([look, over]);
  } finally {
    clearTimeout(timer);
  }
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}
