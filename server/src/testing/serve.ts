/** The real server, as `main.ts` starts it, with nothing around it but what a test gives. */
import type { AddressInfo } from "node:net";
import { createLogger, type Logger } from "@dhi/core/log";
import { closedPort } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { readConfig } from "../config.ts";
import { startServer } from "../start-server.ts";

export interface Served extends AsyncDisposable {
  readonly url: string;
  /** DHI_HOME. */
  readonly home: string;
  get(path: string): Promise<Answer>;
  send(method: "POST" | "PUT", path: string, body: unknown): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * @param env Ollama, Chroma and the indexer are away unless it names them
 * @param prepare puts into DHI_HOME what shall be there before
 */
export async function serve(
  env: NodeJS.ProcessEnv = {},
  prepare: (home: string) => void = () => {},
  log: Logger = createLogger("test", "silent"),
): Promise<Served> {
  const home = tempDir();
  prepare(home.dir);
  const away = `http://127.0.0.1:${await closedPort()}`;
  const { http, close } = await startServer(
    readConfig({
      ...{ DHI_HOME: home.dir, WORKSPACE: home.dir, WORKSPACE_NAME: "shop", DHI_PORT: "0" },
      ...{ OLLAMA_HOST: away, CHROMA_HOST: away, INDEXER_HOST: away },
      ...env,
    }),
    log,
  );
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const ask = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  };
  return {
    ...{ url, home: home.dir },
    get: (path) => ask(path),
    send: (method, path, body) => ask(path, { method, body: JSON.stringify(body) }),
    async [Symbol.asyncDispose]() {
      await close();
      home[Symbol.dispose]();
    },
  };
}
