/** Everything that runs for one measurement: Chroma, indexer and server on one repository, each a process of its own. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type IndexDb, indexDir, openIndexForReading } from "@dhi/core/index-db";
import { type IndexerStatus, indexerResponse, searchResponse } from "@dhi/core/protocol";
import { freePort } from "../checks.ts";
import { describeServices } from "../services.ts";
import { type CountingProxy, startCountingProxy } from "./counting-proxy.ts";
import { residentMb } from "./memory.ts";
import { type RunningProcess, startProcess } from "./processes.ts";

export interface StackOptions {
  /** The repository. */
  readonly workspace: string;
  /** DHI_HOME: index, Chroma's data and logs. */
  readonly home: string;
  /** Where the indexer leaves a CPU profile when it is stopped. */
  readonly profileDir?: string | undefined;
  /** Of the indexer, on top of the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** The same of the server. */
  readonly serverEnv?: Readonly<Record<string, string>>;
}

type ServiceName = "chroma" | "indexer" | "server";

export interface Stack {
  /** Of the server. */
  readonly url: string;
  /** What the indexer asks of Chroma. */
  readonly chroma: CountingProxy;
  /** Starts them in this order and waits until they answer. */
  start(...names: ServiceName[]): Promise<void>;
  stop(...names: ServiceName[]): Promise<void>;
  pid(name: ServiceName): number;
  logFile(name: ServiceName): string;
  /** Of a service with the processes it starts, in MiB: now, and the most that was seen of it since this stack exists. */
  memory(name: ServiceName): { readonly nowMb: number; readonly mostMb: number };
  status(): Promise<IndexerStatus>;
  /** Waits until files, embeddings and Chroma hold everything. @throws when a sync fails */
  settled(): Promise<IndexerStatus>;
  search(body: SearchInput): Promise<ReturnType<typeof searchResponse.parse>["results"]>;
  /** @throws for any status but 200 */
  ask(path: string, body: object): Promise<unknown>;
  /** Read-only; the caller closes it. @throws while there is none */
  openIndex(): IndexDb;
  readonly indexDir: string;
  readonly chromaDir: string;
  close(): Promise<void>;
}

export interface SearchInput {
  readonly query: string;
  readonly mode: "hybrid" | "vector" | "lexical" | "symbols";
  readonly n_results?: number;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Nothing is started yet. */
export async function createStack({
  workspace,
  home,
  profileDir,
  env = {},
  serverEnv = {},
}: StackOptions): Promise<Stack> {
  const ports = { chroma: await freePort(), indexer: await freePort() };
  const port = await freePort();
  const proxy = await startCountingProxy(ports.chroma);
  const services = describeServices(
    root,
    {
      ...{ workspace, home, port, bind: "127.0.0.1", token: undefined },
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        WORKSPACE: workspace,
        DHI_HOME: home,
        DHI_PORT: String(port),
        EMBEDDER: "hash",
        ENGINE: "instant",
        // Nobody listens on it: what would ask a model must not find one.
        OLLAMA_HOST: "127.0.0.1:9",
      },
    },
    ports,
  );
  const { indexer, server } = services;
  const described = {
    ...services,
    server: { ...server, env: { ...server.env, ...serverEnv } },
    indexer: {
      ...indexer,
      args: [...(profileDir ? ["--cpu-prof", `--cpu-prof-dir=${profileDir}`] : []), ...indexer.args],
      env: { ...indexer.env, CHROMA_HOST: `127.0.0.1:${proxy.port}`, ...env },
      // A profile of minutes takes a while to write.
      graceMs: profileDir ? 120_000 : indexer.graceMs,
    },
  };
  const running = new Map<ServiceName, RunningProcess>();
  const most = new Map<ServiceName, number>();
  const watching = setInterval(() => {
    for (const [name, { pid }] of running) most.set(name, Math.max(most.get(name) ?? 0, residentMb(pid)));
  }, MEMORY_EVERY_MS);
  const indexerUrl = `http://127.0.0.1:${ports.indexer}`;
  const url = `http://127.0.0.1:${port}`;
  const dir = indexDir(home, workspace);

  async function status(): Promise<IndexerStatus> {
    const { workspaces } = indexerResponse.parse(await (await fetch(`${indexerUrl}/status`)).json());
    const [only] = workspaces;
    if (!only) throw new Error("the indexer has no workspace");
    return only;
  }
  async function stop(...names: ServiceName[]): Promise<void> {
    for (const name of names) {
      await running.get(name)?.stop();
      running.delete(name);
    }
  }
  function pidOf(name: ServiceName): number {
    const process = running.get(name);
    if (!process) throw new Error(`${name} does not run`);
    return process.pid;
  }
  async function ask(path: string, body: object): Promise<unknown> {
    const response = await fetch(url + path, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  return {
    url,
    chroma: proxy,
    indexDir: dir,
    chromaDir: join(home, "chroma"),
    status,
    stop,
    ask,
    async start(...names) {
      for (const name of names) running.set(name, startProcess(described[name]));
      for (const name of names) await running.get(name)?.ready();
    },
    pid: pidOf,
    logFile: (name) => described[name].logFile,
    memory(name) {
      const nowMb = residentMb(pidOf(name));
      return { nowMb, mostMb: Math.max(nowMb, most.get(name) ?? 0) };
    },
    async settled() {
      for (; ; await sleep(SETTLE_POLL_MS)) {
        const now = await status();
        if (now.state === "failed") throw new Error(`the sync failed: ${now.error}`);
        if (hasEverything(now)) return now;
      }
    },
    search: async (body) => searchResponse.parse(await ask("/search", body)).results,
    openIndex() {
      const db = openIndexForReading(dir);
      if (!db) throw new Error("there is no index.db yet");
      return db;
    },
    async close() {
      clearInterval(watching);
      await stop("server", "indexer", "chroma");
      await proxy.close();
    },
  };
}

const SETTLE_POLL_MS = 50;
const MEMORY_EVERY_MS = 500;

export const hasEverything = (status: IndexerStatus): boolean =>
  status.state === "watching" && status.pendingEmbeddings === 0 && status.vectors.status === "ok";
