/**
 * What the instant tier knows of all workspaces, in a thread of its own: reading a repository, guessing, and the garbage
 * collection of a million words never hold up a request.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Logger } from "@dhi/core/log";
import { describeError } from "@dhi/core/upstream-error";
import type { InstantIndex, InstantStatus } from "./instant-index.ts";
import { type OpenIndexes, openIndexes } from "./open-indexes.ts";
import type { PredictedLine } from "./predict-line.ts";
import { createRestartDelay } from "./restart-delay.ts";

export interface InstantTier {
  /** In the order of the folders. */
  readonly indexes: readonly Omit<InstantIndex, "close">[];
  close(): Promise<void>;
}

export interface InstantTierOptions {
  /** Of the workspaces' indexes, which may not be there yet. */
  readonly dirs: readonly string[];
  /** Of all workspaces together. */
  readonly maxTokens: number;
  readonly log: Pick<Logger, "warn">;
  /** The built `instant-thread.js`; where it is missing (Node runs no TypeScript), everything happens in this thread. */
  readonly file?: string;
  readonly restartMs?: number;
}

export type ThreadData = Pick<InstantTierOptions, "dirs" | "maxTokens">;

/** A refresh, unless it says where to predict. */
export interface ThreadQuestion {
  readonly id: number;
  readonly workspace: number;
  readonly predict?: Parameters<InstantIndex["predict"]>;
}

export type ThreadMessage =
  | { readonly id: number; readonly line?: PredictedLine }
  | { readonly statuses: readonly InstantStatus[] }
  | { readonly warning: string };

const BUILT = fileURLToPath(new URL("./instant-thread.js", import.meta.url));
/** After a thread that ended by itself. One that ends each time, as for want of memory, is started ever less often. */
const RESTART_MS = 5_000;

export function startInstantTier({ file = BUILT, ...options }: InstantTierOptions): InstantTier {
  return existsSync(file) ? inThread(file, options) : here(options);
}

function here({ dirs, maxTokens, log }: InstantTierOptions): InstantTier {
  const { indexes, close }: OpenIndexes = openIndexes({ dirs, maxTokens }, (warning) => log.warn(warning));
  return { indexes, close: async () => close() };
}

const NOTHING: PredictedLine = { text: "", confidence: 0, tokens: 0, cut: false };
const UNKNOWN: InstantStatus = { state: "empty", files: 0, tokens: 0, storedTokens: 0 };

function inThread(
  file: string,
  { dirs, maxTokens, log, restartMs = RESTART_MS }: InstantTierOptions,
): InstantTier {
  const waiting = new Map<number, (line?: PredictedLine) => void>();
  const restartDelay = createRestartDelay(restartMs);
  let statuses: readonly InstantStatus[] = [];
  let worker: Worker | undefined = start();
  let restart: NodeJS.Timeout | undefined;
  let asked = 0;
  let closed = false;

  function start(): Worker {
    const workerData: ThreadData = { dirs, maxTokens };
    // Not the flags of this process: a test runner's would have the built file import sources.
    const startedAt = performance.now();
    const started = new Worker(file, { workerData, execArgv: [] });
    started.unref();
    started.on("message", (message: ThreadMessage) => {
      if ("statuses" in message) statuses = message.statuses;
      else if ("warning" in message) log.warn(message.warning);
      else settle(message.id, message.line);
    });
    started.on("error", (error) => log.warn(`instant: its thread failed: ${describeError(error)}`));
    started.on("exit", () => {
      worker = undefined;
      statuses = [];
      for (const id of [...waiting.keys()]) settle(id);
      if (closed) return;
      restart = setTimeout(
        () => {
          worker = start();
        },
        restartDelay(performance.now() - startedAt),
      );
      restart.unref();
    });
    return started;
  }

  function settle(id: number, line?: PredictedLine): void {
    waiting.get(id)?.(line);
    waiting.delete(id);
  }

  /** @returns `undefined` when there is no thread now, and for a refresh */
  function ask(question: Omit<ThreadQuestion, "id">): Promise<PredictedLine | undefined> {
    const id = ++asked;
    return new Promise((resolve) => {
      if (!worker) return resolve(undefined);
      waiting.set(id, resolve);
      worker.postMessage({ ...question, id } satisfies ThreadQuestion);
    });
  }

  return {
    indexes: dirs.map((_, workspace) => ({
      predict: async (...predict) => (await ask({ workspace, predict })) ?? NOTHING,
      async refresh() {
        await ask({ workspace });
      },
      status: () => statuses[workspace] ?? UNKNOWN,
    })),
    async close() {
      closed = true;
      clearTimeout(restart);
      await worker?.terminate();
    },
  };
}
