/** A workspace that stays open: one whose index is lost is opened anew, one that cannot be opened is tried again. */
import { basename } from "node:path";
import type { NamedRoots } from "@dhi/core/choose-workspace";
import { HttpError } from "@dhi/core/http-error";
import type { IndexerStatus } from "@dhi/core/protocol";
import { describeError } from "@dhi/core/upstream-error";
import { realPathOf } from "@dhi/core/workspace-path";
import type { WorkspaceSetting } from "@dhi/core/workspaces";
import {
  openWorkspace,
  type RunningWorkspace,
  type WorkspaceDeps,
  type WorkspaceOptions,
} from "./workspace.ts";

export interface KeptWorkspace extends NamedRoots {
  /** @throws {HttpError} 503 while it is not open, with the reason */
  indexer(): RunningWorkspace["indexer"];
  status(): IndexerStatus;
  /** Why it is not open; `undefined` when it is. */
  failure(): unknown;
  /** Settles when its changes are being followed, or it could not be opened. */
  readonly watching: Promise<void>;
  close(): Promise<void>;
}

export interface KeepOpenOptions extends Omit<WorkspaceOptions, "onLost"> {
  /** How often to try again what could not be opened. */
  readonly openAgainMs?: number;
}

/** Never rejects. @returns once it was tried for the first time */
export async function keepOpen(
  setting: WorkspaceSetting,
  deps: WorkspaceDeps,
  { openAgainMs = 30_000, ...options }: KeepOpenOptions = {},
): Promise<KeptWorkspace> {
  const { log } = deps;
  let open: RunningWorkspace | undefined;
  let failure: unknown;
  let closed = false;
  let again: NodeJS.Timeout | undefined;
  let working = tryToOpen();

  async function tryToOpen(): Promise<void> {
    let isLost = false;
    const onLost = () => {
      // There may be more than one sign of it.
      if (!isLost) next(openAnew);
      isLost = true;
    };
    try {
      open = await openWorkspace(setting, deps, { ...options, onLost });
      if (failure !== undefined) log.info(`${setting.path} is open now`);
      failure = undefined;
    } catch (error) {
      // The same words every half minute tell nothing.
      if (failure === undefined || describeError(failure) !== describeError(error))
        log.error(`cannot open ${setting.path}: ${describeError(error)}`);
      failure = error;
      if (!closed) again = setTimeout(() => next(tryToOpen), openAgainMs);
    }
  }

  async function openAnew(): Promise<void> {
    log.warn("index.db was lost: building a new one");
    await open?.close();
    open = undefined;
    failure = new Error("its index was lost and is being built anew");
    await tryToOpen();
  }

  function next(work: () => Promise<void>): void {
    working = working.then(() => (closed ? undefined : work()));
  }

  await working;
  const name = () => open?.name ?? setting.name ?? (basename(setting.path) || "root");
  return {
    get name() {
      return name();
    },
    roots: [...new Set([setting.path, realPathOf(setting.path)])],
    indexer() {
      if (open) return open.indexer;
      throw new HttpError(
        503,
        "workspace_failed",
        `workspace "${name()}" is not open: ${describeError(failure)}`,
        "It is tried again; GET /v1/status says when it works.",
      );
    },
    status: () => open?.indexer.status() ?? failedStatus(name(), describeError(failure)),
    failure: () => failure,
    watching: open?.watching ?? Promise.resolve(),
    async close() {
      closed = true;
      clearTimeout(again);
      await working;
      await open?.close();
      open = undefined;
    },
  };
}

const failedStatus = (workspace: string, error: string): IndexerStatus => ({
  ...{ workspace, state: "failed", error, files: 0, chunks: 0, symbols: 0, skipped: {} },
  embedder: { id: "none", status: "down", detail: "the workspace is not open" },
  pendingEmbeddings: 0,
  vectors: { collection: "", status: "down", detail: "the workspace is not open", stored: 0 },
  lastChangeAt: null,
  job: null,
  counters: { filesParsed: 0, textsEmbedded: 0 },
});
