/** The parts of the server, put together. `main.ts` and the tests start it the same way. */
import { createServer, type Server } from "node:http";
import { ConfigError } from "@dhi/core/env";
import { indexDir } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import { workspacesOf } from "@dhi/core/workspaces";
import { createApp } from "./app.ts";
import { type Call, mayBeReused } from "./call.ts";
import type { ServerConfig } from "./config.ts";
import { openEvents } from "./events/events.ts";
import { createGenerations } from "./generation/generations.ts";
import { createQueues } from "./generation/queues.ts";
import { createWarmUps } from "./generation/warm-ups.ts";
import { createWriter } from "./generation/writer.ts";
import { createIndexerClient } from "./indexer-client.ts";
import { createInstantEngine } from "./instant/instant-engine.ts";
import { startInstantTier } from "./instant/instant-tier.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { createCheckLog } from "./model/check-log.ts";
import { openRunningConfig } from "./model/running-config.ts";
import { createLayouts } from "./prompt/layouts.ts";
import { createRequestStats } from "./request-stats.ts";
import { createSessions } from "./sessions.ts";
import { openTracing } from "./tracing/tracing.ts";
import { openWorkspace } from "./workspace.ts";
import { instantIndexOf } from "./workspace-instant-index.ts";
import { createWorkspaces } from "./workspaces.ts";

export interface RunningServer {
  readonly http: Server;
  /** Ends live requests and frees what was opened. */
  close(): Promise<void>;
}

/** @throws {ConfigError} for a model that cannot fill in the middle, bad profiles, or a port that is taken */
export async function startServer(config: ServerConfig, log: Logger): Promise<RunningServer> {
  const settings = workspacesOf(config);
  const instant = startInstantTier({
    dirs: settings.map(({ path }) => indexDir(config.DHI_HOME, path)),
    maxTokens: config.INSTANT_MAX_TOKENS,
    log,
  });
  const workspaces = createWorkspaces(
    settings.flatMap((setting, i) => {
      const own = settings.length > 1 ? log.child({ workspace: setting.name }) : log;
      const index = instant.indexes[i];
      return index ? openWorkspace(setting, config, { instant: index, log: own }) : [];
    }),
  );
  async function closeWorkspaces(): Promise<void> {
    await instant.close();
    for (const workspace of workspaces.all) workspace.close();
  }
  const generations = createGenerations<Call>({ isUsable: mayBeReused });
  const queue = createQueues(config.ENGINE_SLOTS, () => generations.releaseAll());
  const running = await openRunningConfig(config, {
    instant: createInstantEngine({ index: instantIndexOf(workspaces) }),
    checks: createCheckLog(config.DHI_HOME),
    waiting: (engine) => queue(engine).waiting,
    log,
  }).catch(async (error: unknown) => {
    await closeWorkspaces();
    throw error;
  });

  const events = openEvents(config, log);
  const indexer = createIndexerClient(config.INDEXER_HOST);
  const metrics = createMetrics({ running, queue, indexer });
  const warmUps = createWarmUps({ queue });
  const tracing = await openTracing(config, log);

  const app = createApp({
    config,
    completion: { queue, writer: createWriter(generations), layouts: createLayouts() },
    running,
    warmUps,
    workspaces,
    indexer,
    ...{ events, metrics, tracing },
    sessions: createSessions(),
    stats: createRequestStats(),
    guard: {
      allowedHosts: config.DHI_ALLOWED_HOSTS,
      ownHosts: [config.DHI_BIND],
      token: config.DHI_TOKEN,
    },
    log,
  });

  const http = createServer(app);
  await listen(http, config.DHI_PORT, config.DHI_BIND);
  return {
    http,
    async close() {
      running.close();
      warmUps.close();
      generations.releaseAll();
      const closed = new Promise((done) => http.close(done));
      http.closeAllConnections();
      await closed;
      events.close();
      metrics.close();
      await tracing.close();
      await closeWorkspaces();
    },
  };
}

function listen(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(
        taken
          ? new ConfigError(`  DHI_PORT=${port}: the port is taken; choose another, or 0 for a free one`)
          : error,
      );
    });
    http.listen(port, host, resolve);
  });
}
