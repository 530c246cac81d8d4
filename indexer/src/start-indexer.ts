/** Opens every workspace and answers for all of them. */
import { createServer, type Server } from "node:http";
import type { Logger } from "@dhi/core/log";
import { workspacesOf } from "@dhi/core/workspaces";
import type { Express } from "express";
import { startAnalysisThreads } from "./analysis-threads.ts";
import { createApp } from "./app.ts";
import { createCompleting } from "./completing.ts";
import type { IndexerConfig } from "./config.ts";
import { createEmbedders } from "./embedders.ts";
import { type KeepOpenOptions, type KeptWorkspace, keepOpen } from "./keep-open.ts";
import { orphanIndexes } from "./orphan-indexes.ts";
import { watchPower } from "./power.ts";
import { canStartTypeProcess, createTypeProcess, type TypeLooker } from "./typescript/type-process.ts";

export interface RunningIndexer {
  /** Where it listens. */
  readonly url: string;
  /** In the order of the settings. */
  readonly workspaces: readonly KeptWorkspace[];
  /** Settles when changes are being followed; the first syncs may still run. */
  readonly watching: Promise<void>;
  close(): Promise<void>;
}

export type StartOptions = KeepOpenOptions;

/**
 * @throws {WorkspaceError} {IndexLockedError} when no workspace can be opened: why the first cannot
 * @throws when the port is taken or DHI_HOME cannot be written; whatever was opened is closed again
 */
export async function startIndexer(
  config: IndexerConfig,
  log: Logger,
  options: StartOptions = {},
): Promise<RunningIndexer> {
  const settings = workspacesOf(config);
  const threads = await startAnalysisThreads();
  const looker = typeLooker(config);
  const embedders = createEmbedders(config, threads);
  const completing = createCompleting();
  const power = watchPower();
  const demand = { isCompleting: completing.isRunning, onBattery: power.onBattery };
  const workspaces = await Promise.all(
    settings.map((setting) => {
      const own = settings.length > 1 ? log.child({ workspace: setting.name }) : log;
      return keepOpen(setting, { config, threads, embedders, demand, looker, log: own }, options);
    }),
  );
  async function close(): Promise<void> {
    await Promise.all(workspaces.map((workspace) => workspace.close()));
    power.close();
    await threads.close();
    if (typeof looker !== "string") await looker.close();
  }

  try {
    const [failure] = workspaces.map((workspace) => workspace.failure());
    if (workspaces.every((workspace) => workspace.failure() !== undefined)) throw failure;
    const guard = { allowedHosts: config.INDEXER_ALLOWED_HOSTS };
    const http = await listen(createApp({ workspaces, completing, guard, log }), config);
    for (const { dir, workspace, bytes } of orphanIndexes(config.DHI_HOME))
      log.info(
        `${workspace} is gone; its index still takes ${Math.ceil(bytes / 1e6)} MB: ${dir} can be deleted`,
      );
    return {
      url: urlOf(http),
      workspaces,
      watching: Promise.all(workspaces.map(({ watching }) => watching)).then(() => {}),
      async close() {
        await closeServer(http);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @returns why there is none, if so */
function typeLooker({ TYPESCRIPT_SERVICE, TYPESCRIPT_MEMORY_MB }: IndexerConfig): TypeLooker | string {
  if (TYPESCRIPT_SERVICE === "off") return "TYPESCRIPT_SERVICE=off";
  if (!canStartTypeProcess()) return "it runs only when built";
  return createTypeProcess({ memoryMb: TYPESCRIPT_MEMORY_MB });
}

/**
 * How long an idle connection stays open. Node's own 5 seconds are shorter than a busy machine may hold this process up;
 * it would then close a connection whose next request has already arrived.
 */
const KEEP_ALIVE_MS = 65_000;

/** @throws in words that name the port when it is taken */
async function listen(app: Express, { INDEXER_PORT, INDEXER_BIND }: IndexerConfig): Promise<Server> {
  const http = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
  await new Promise<void>((done, fail) => {
    http.once("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "EADDRINUSE"
          ? new Error(
              `port ${INDEXER_PORT} is taken: set INDEXER_PORT (and INDEXER_HOST for the server) to a free one`,
            )
          : error,
      ),
    );
    http.listen(INDEXER_PORT, INDEXER_BIND, done);
  });
  return http;
}

async function closeServer(http: Server): Promise<void> {
  const closed = new Promise((done) => http.close(done));
  http.closeAllConnections();
  await closed;
}

function urlOf(http: Server): string {
  const at = http.address();
  if (at === null || typeof at === "string") return String(at);
  return `http://${at.address.includes(":") ? `[${at.address}]` : at.address}:${at.port}`;
}
