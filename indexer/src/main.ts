/** Reads the settings, starts, and stops on a signal. */
import { ConfigError } from "@dhi/core/env";
import { createLogger } from "@dhi/core/log";
import { describeError } from "@dhi/core/upstream-error";
import { workspacesOf } from "@dhi/core/workspaces";
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
  const starting = startIndexer(config, log);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      await (await starting).close();
      process.exit(0);
    });
  }
  const { url } = await starting;
  log.info({ url, workspaces: workspacesOf(config).map(({ path }) => path) }, "listening");
} catch (error) {
  process.stderr.write(`dhi indexer: ${describeError(error)}\n`);
  process.exit(exitCodeOf(error));
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError || error instanceof WorkspaceError) return EXIT_BAD_SETTINGS;
  return error instanceof IndexLockedError ? EXIT_LOCKED : EXIT_FAILED;
}
