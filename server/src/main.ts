/** Reads the settings, builds the parts, listens, and stops them all on a signal. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigError } from "@dhi/core/env";
import { createLogger } from "@dhi/core/log";
import { describeError } from "@dhi/core/upstream-error";
import { workspacesOf } from "@dhi/core/workspaces";
import { readConfig } from "./config.ts";
import { startServer } from "./start-server.ts";

const EXIT_BAD_SETTINGS = 2;
const EXIT_FAILED = 1;

try {
  const config = readConfig();
  const log = createLogger("server", config.LOG_LEVEL);
  const { http, close } = await startServer(config, log);
  log.info({ url: urlOf(http), workspaces: workspacesOf(config).map(({ path }) => path) }, "listening");
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      await close();
      process.exit(0);
    });
  }
} catch (error) {
  process.stderr.write(`dhi server: ${describeError(error)}\n`);
  process.exit(error instanceof ConfigError ? EXIT_BAD_SETTINGS : EXIT_FAILED);
}

function urlOf(http: Server): string {
  const { address, port } = http.address() as AddressInfo;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}
