/** The three processes of `npm start`, in the order in which they start. They end in the reverse order. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Service } from "./service.ts";
import type { Settings } from "./settings.ts";

export interface Services {
  readonly chroma: Service;
  readonly indexer: Service;
  readonly server: Service;
}

/** @param ports free ones of 127.0.0.1, for what only our own processes ask */
export function describeServices(
  root: string,
  { home, port, env }: Pick<Settings, "home" | "port" | "env">,
  ports: { readonly chroma: number; readonly indexer: number },
): Services {
  const chromaUrl = `http://127.0.0.1:${ports.chroma}`;
  const indexerUrl = `http://127.0.0.1:${ports.indexer}`;
  const ours = {
    ...env,
    CHROMA_HOST: chromaUrl,
    INDEXER_HOST: indexerUrl,
    INDEXER_PORT: String(ports.indexer),
    INDEXER_BIND: "127.0.0.1",
  };
  const logFile = (name: string) => join(home, "logs", `${name}.log`);
  return {
    chroma: {
      name: "chroma",
      args: [
        chromaCli(),
        "run",
        "--path",
        join(home, "chroma"),
        "--host",
        "127.0.0.1",
        "--port",
        String(ports.chroma),
      ],
      env,
      logFile: logFile("chroma"),
      // Chroma from npm ignores SIGTERM and SIGINT, and then spins (measured).
      graceMs: 0,
      ready: async (signal) => (await fetch(`${chromaUrl}/api/v2/heartbeat`, { signal })).ok,
    },
    indexer: {
      name: "indexer",
      args: ["--enable-source-maps", join(root, "indexer", "dist", "main.js")],
      env: ours,
      logFile: logFile("indexer"),
      graceMs: 5000,
      ready: async (signal) => (await fetch(`${indexerUrl}/status`, { signal })).ok,
    },
    server: {
      name: "server",
      args: ["--enable-source-maps", join(root, "server", "dist", "main.js")],
      env: ours,
      logFile: logFile("server"),
      graceMs: 5000,
      // 503 means that it listens and waits for another: from here on it explains itself.
      ready: async (signal) =>
        [200, 503].includes((await fetch(`http://127.0.0.1:${port}/health`, { signal })).status),
    },
  };
}

const chromaCli = () => fileURLToPath(new URL("cli.mjs", import.meta.resolve("chromadb")));
