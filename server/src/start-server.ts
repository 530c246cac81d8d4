/** The parts of the server, put together. `main.ts` and the tests start it the same way. */
import { createServer, type Server } from "node:http";
import { basename } from "node:path";
import { ConfigError } from "@dhi/core/env";
import { indexDir, readMeta } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import { createApp } from "./app.ts";
import type { ServerConfig } from "./config.ts";
import { createEngine } from "./engines/create-engine.ts";
import { createIndexerClient } from "./indexer-client.ts";
import { createInstantEngine } from "./instant/instant-engine.ts";
import { createInstantIndex } from "./instant/instant-index.ts";
import { adviseModel, type FimFormat, formatById, formatIds } from "./prompt/fim-format.ts";
import { createRequestStats } from "./request-stats.ts";
import { createDefinedIn } from "./retrieval/defined-in.ts";
import { createIndexHandle } from "./retrieval/index-handle.ts";
import { createRetrieve } from "./retrieval/retrieve.ts";
import { createVectorSearch } from "./retrieval/vector.ts";
import { createSessions } from "./sessions.ts";

export interface RunningServer {
  readonly http: Server;
  /** Ends live requests and frees what was opened. */
  close(): Promise<void>;
}

/** @throws {ConfigError} for a model that cannot fill in the middle, or a port that is taken */
export async function startServer(config: ServerConfig, log: Logger): Promise<RunningServer> {
  const format = formatFor(config, log);
  const index = createIndexHandle(indexDir(config.DHI_HOME, config.WORKSPACE));
  const vectors = createVectorSearch(config);
  const retrieve = createRetrieve({ index, vectors, timeoutMs: config.RETRIEVAL_TIMEOUT_MS, log });
  const instantIndex = createInstantIndex({ index, log });
  const engines = createEngine(config, { instant: createInstantEngine({ index: instantIndex }), log });

  const repoName = () => {
    const db = index.get();
    return config.WORKSPACE_NAME ?? (db && readMeta(db, "name")) ?? basename(config.WORKSPACE);
  };
  const app = createApp({
    completion: {
      retrieve,
      definedIn: createDefinedIn(index),
      engine: engines.forRequest,
      format,
      mode: config.CONTEXT_MODE,
      budgetTokens: config.CONTEXT_TOKENS,
      maxTokens: config.FIM_MODEL_MAX_TOKENS,
      repoName,
    },
    engine: engines.default,
    vectors,
    index,
    indexer: createIndexerClient(config.INDEXER_HOST),
    sessions: createSessions(),
    stats: createRequestStats(),
    workspace: config.WORKSPACE,
    guard: { allowedHosts: [...config.DHI_ALLOWED_HOSTS, config.DHI_BIND], token: config.DHI_TOKEN },
    log,
  });

  const http = createServer(app);
  await listen(http, config.DHI_PORT, config.DHI_BIND);
  const warmUp = new AbortController();
  void engines.default.warmUp(warmUp.signal);
  return {
    http,
    async close() {
      warmUp.abort();
      engines.close();
      instantIndex.close();
      const closed = new Promise((done) => http.close(done));
      http.closeAllConnections();
      await closed;
      index.close();
    },
  };
}

function formatFor({ FIM_MODEL, FIM_FORMAT }: ServerConfig, log: Logger): FimFormat {
  if (FIM_FORMAT !== "auto") {
    const format = formatById(FIM_FORMAT);
    if (!format)
      throw new ConfigError(`  FIM_FORMAT=${FIM_FORMAT}: expected auto or one of ${formatIds().join(", ")}`);
    return format;
  }
  const { format, refusal, warning } = adviseModel(FIM_MODEL);
  if (!format) throw new ConfigError(`  FIM_MODEL=${FIM_MODEL}: ${refusal}`);
  if (warning) log.warn(warning);
  return format;
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
