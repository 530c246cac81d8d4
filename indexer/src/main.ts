/** Reads the settings, starts, and stops on a signal. */
import { ConfigError } from "@dhi/core/env";
import { createLogger } from "@dhi/core/log";
import { describeError } from "@dhi/core/upstream-error";
import { readConfig } from "./config.ts";
import { IndexLockedError } from "./lock.ts";
import { startIndexer } from "./start-indexer.ts";
import { WorkspaceError } from "./workspace-root.ts";

const EXIT_FAILED = 1;
const EXIT_BAD_SETTINGS = 2;
const EXIT_LOCKED = 3;

try {
  const config = readConfig();
  const log = createLogger("indexer", config.LOG_LEVEL);
  const start = async () => {
    const running = await startIndexer(config, log, { onLost });
    log.info({ url: running.url, workspace: config.WORKSPACE }, "listening");
    return running;
  };
  let starting = start();
  function onLost(): void {
    log.warn("index.db was deleted or replaced: building a new one");
    starting = starting.then((running) => running.close()).then(start);
    starting.catch(fail);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      await (await starting).close();
      process.exit(0);
    });
  }
  await starting;
} catch (error) {
  fail(error);
}

function fail(error: unknown): never {
  process.stderr.write(`dhi indexer: ${describeError(error)}\n`);
  process.exit(exitCodeOf(error));
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError || error instanceof WorkspaceError) return EXIT_BAD_SETTINGS;
  return error instanceof IndexLockedError ? EXIT_LOCKED : EXIT_FAILED;
}
