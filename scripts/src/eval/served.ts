/** Chroma, indexer and server, each a process of its own, on the workspaces of an evaluation. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type IndexDb, indexDir, openIndexForReading } from "@dhi/core/index-db";
import { indexerResponse } from "@dhi/core/protocol";
import { type RunningProcess, startProcess } from "../bench/processes.ts";
import { hasEverything } from "../bench/stack.ts";
import { freePort } from "../checks.ts";
import { describeServices } from "../services.ts";
import type { Corpus } from "./corpus.ts";
import { postJson } from "./post-json.ts";
import { EVAL_FORMAT } from "./tokens.ts";

export interface ServedOptions {
  readonly corpora: readonly Pick<Corpus, "name" | "dir">[];
  /** DHI_HOME. */
  readonly home: string;
  /** `hash`, or `ollama` with OLLAMA_HOST in the environment. */
  readonly embedder: string;
  /** On top of the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Served {
  readonly url: string;
  /** @throws for any status but 200 */
  post(path: string, body: object): Promise<unknown>;
  /** Waits until files, embeddings and Chroma hold everything. @throws when a sync fails */
  settled(): Promise<void>;
  /** Read-only; the caller closes it. @throws while there is none */
  openIndex(corpus: Pick<Corpus, "dir">): IndexDb;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Far beyond what a leg takes: on a busy machine nothing may be left out, or figures would depend on it. */
const RETRIEVAL_TIMEOUT_MS = 10_000;
const ASK_EVERY_MS = 100;

/** Ready when all three answer; what is not indexed yet may still be on its way ({@link Served.settled}). */
export async function serve({ corpora, home, embedder, env = {} }: ServedOptions): Promise<Served> {
  const ports = { chroma: await freePort(), indexer: await freePort() };
  const port = await freePort();
  const services = describeServices(
    root,
    {
      home,
      port,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DHI_WORKSPACES: corpora.map(({ name, dir }) => `${name}=${dir}`).join("\n"),
        DHI_HOME: home,
        DHI_PORT: String(port),
        EMBEDDER: embedder,
        OLLAMA_HOST: process.env.OLLAMA_HOST,
        ENGINE: "instant",
        FIM_FORMAT: EVAL_FORMAT,
        RETRIEVAL_TIMEOUT_MS: String(RETRIEVAL_TIMEOUT_MS),
        TYPESCRIPT_SERVICE: "off",
        LOG_LEVEL: "warn",
        ...env,
      },
    },
    ports,
  );
  const running: RunningProcess[] = [];
  async function close(): Promise<void> {
    for (const process of running.splice(0).reverse()) await process.stop();
  }
  try {
    for (const service of [services.chroma, services.indexer, services.server]) {
      const started = startProcess(service);
      running.push(started);
      await started.ready();
    }
  } catch (error) {
    await close();
    throw error;
  }
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    close,
    post: (path, body) => postJson(url + path, body),
    async settled() {
      for (; ; await sleep(ASK_EVERY_MS)) {
        const answer = await fetch(`http://127.0.0.1:${ports.indexer}/status`);
        const { workspaces } = indexerResponse.parse(await answer.json());
        const failed = workspaces.find(({ state }) => state === "failed");
        if (failed) throw new Error(`${failed.workspace} cannot be indexed: ${failed.error}`);
        if (workspaces.every(hasEverything)) return;
      }
    },
    openIndex({ dir }) {
      const db = openIndexForReading(indexDir(home, dir));
      if (!db) throw new Error(`there is no index of ${dir}`);
      return db;
    },
  };
}
