/** A repository, Chroma and an indexer that are killed and started again. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type IndexDb, indexDir, openIndexForReading, readMeta } from "@dhi/core/index-db";
import { type IndexerStatus, indexerResponse } from "@dhi/core/protocol";
import { createVectorStore } from "@dhi/core/vector-store";
import { type RunningProcess, startProcess } from "../bench/processes.ts";
import type { Random } from "../bench/random.ts";
import { freePort } from "../checks.ts";
import { logTail } from "../log-tail.ts";
import { describeServices } from "../services.ts";
import { damages, differences, dumpIndex, isComplete, someTerms, wantedVectors } from "./index-dump.ts";

export type EmbedderName = "hash" | "ollama";

export interface WorldOptions {
  readonly repository: string;
  /** For everything that is kept besides. */
  readonly dir: string;
  /** The built `main.js` of the indexer. */
  readonly indexerMain: string;
  readonly ollamaUrl: string;
}

export interface World {
  readonly repository: string;
  /** Where the indexer listens. */
  readonly url: string;
  /** Returns at once. */
  startIndexer(embedder: EmbedderName): RunningProcess;
  /**
   * Waits until everything that is on the disk is in the index and in Chroma.
   *
   * @returns `undefined`, or after that time what the indexer says of itself instead
   */
  settled(timeoutMs: number): Promise<string | undefined>;
  startChroma(): Promise<void>;
  killChroma(): Promise<void>;
  /** No index and no vectors. */
  forget(): void;
  /** Ends everything that runs. */
  close(): Promise<void>;
  /** Makes another index of the tree as it is now. */
  fresh(embedder: EmbedderName, random: Random): Promise<FreshIndex>;
  /** @returns what differs from it, in the index and in Chroma, and what is damaged */
  compare(fresh: FreshIndex): Promise<string[]>;
}

/** An index that has never seen another tree. */
export interface FreshIndex {
  readonly lines: readonly string[];
  /** Words to ask any index of the tree for. */
  readonly terms: readonly string[];
}

const FRESH_MS = 120_000;
const POLL_MS = 50;

export async function createWorld({ repository, dir, indexerMain, ollamaUrl }: WorldOptions): Promise<World> {
  const ports = {
    indexer: await freePort(),
    chroma: await freePort(),
    nobody: await freePort(),
  };
  const home = join(dir, "home");
  const freshHome = join(dir, "fresh");
  const services = describeServices(
    repository,
    { ...{ home: dir, workspace: repository, port: 0, bind: "127.0.0.1", token: undefined }, env: ourEnv() },
    ports,
  );
  let chroma: RunningProcess | undefined;
  let indexer: RunningProcess | undefined;

  const dirOf = (home: string) => indexDir(home, repository);

  function start(
    at: { home: string; port: number; chromaPort: number },
    embedder: EmbedderName,
  ): RunningProcess {
    return startProcess({
      name: "indexer",
      args: ["--enable-source-maps", indexerMain],
      env: {
        ...ourEnv(),
        ...{ WORKSPACE: repository, DHI_HOME: at.home, INDEXER_PORT: String(at.port) },
        ...{ CHROMA_HOST: `127.0.0.1:${at.chromaPort}`, OLLAMA_HOST: ollamaUrl, EMBEDDER: embedder },
      },
      logFile: logFileIn(at.home),
      graceMs: 5_000,
      ready: async (signal) => (await fetch(`http://127.0.0.1:${at.port}/status`, { signal })).ok,
    });
  }

  async function makeFresh(embedder: EmbedderName, random: Random): Promise<FreshIndex> {
    rmSync(freshHome, { recursive: true, force: true });
    // Between two rounds somebody else may be given the port, and would answer.
    const port = await freePort();
    const indexer = start({ home: freshHome, port, chromaPort: ports.nobody }, embedder);
    try {
      await indexer.ready();
      const complete = await poll(FRESH_MS, async () => {
        const { state, pendingEmbeddings } = await statusAt(port);
        return state === "watching" && pendingEmbeddings === 0 && withIndex(dirOf(freshHome), isComplete);
      });
      if (!complete) {
        const said = await statusAt(port).then(describe, (error: unknown) => `no answer: ${error}`);
        throw new Error(
          `a fresh index is not complete after two minutes: ${said}; its log:\n${logTail(logFileIn(freshHome), 0)}`,
        );
      }
      return await withIndex(dirOf(freshHome), (db) => {
        const terms = someTerms(db, TERMS, random);
        return { lines: dumpIndex(db, terms), terms };
      });
    } finally {
      await indexer.kill();
    }
  }

  async function killChroma(): Promise<void> {
    await chroma?.kill();
    chroma = undefined;
  }

  async function idsInChroma(collection: string): Promise<string[]> {
    const store = createVectorStore({ url: `http://127.0.0.1:${ports.chroma}`, collection });
    return store.ids(AbortSignal.timeout(CHROMA_MS));
  }

  return {
    repository,
    url: `http://127.0.0.1:${ports.indexer}`,
    startIndexer(embedder) {
      indexer = start({ home, port: ports.indexer, chromaPort: ports.chroma }, embedder);
      return indexer;
    },
    async settled(timeoutMs) {
      if (await poll(timeoutMs, async () => hasEverything(await statusAt(ports.indexer)))) return undefined;
      return statusAt(ports.indexer).then(describe, (error: unknown) => `no answer: ${error}`);
    },
    async startChroma() {
      chroma ??= startProcess(services.chroma);
      await chroma.ready();
    },
    killChroma,
    async close() {
      await indexer?.kill();
      await killChroma();
    },
    forget() {
      rmSync(home, { recursive: true, force: true });
    },
    fresh: makeFresh,
    compare: (fresh) =>
      withIndex(dirOf(home), async (db) => {
        const held = await idsInChroma(readMeta(db, "collection") ?? "");
        const inChroma = differences(
          held.map((id) => `vector ${id}`),
          wantedVectors(db).map((id) => `vector ${id}`),
        );
        return [
          ...differences(dumpIndex(db, fresh.terms), fresh.lines),
          ...damages(db, repository),
          ...inChroma,
        ];
      }),
  };
}

/** The user's own settings must not reach what is started. */
const ourEnv = () => ({ PATH: process.env.PATH, HOME: process.env.HOME });

const logFileIn = (home: string): string => join(home, "logs", "indexer.log");

const TERMS = 40;
const CHROMA_MS = 30_000;

async function statusAt(port: number): Promise<IndexerStatus> {
  const response = await fetch(`http://127.0.0.1:${port}/status`);
  const [only] = indexerResponse.parse(await response.json()).workspaces;
  if (!only) throw new Error("the indexer has no workspace");
  return only;
}

const hasEverything = (status: IndexerStatus): boolean =>
  status.state === "watching" && status.pendingEmbeddings === 0 && status.vectors.status === "ok";

const describe = ({ state, error, pendingEmbeddings, embedder, vectors }: IndexerStatus): string =>
  `${state} ${error ?? ""}, ${pendingEmbeddings} texts to embed (${embedder.detail}), vectors ${vectors.status}: ${vectors.detail}`;

/** @returns whether it became true in time; an error counts as not yet */
async function poll(timeoutMs: number, is: () => Promise<boolean>): Promise<boolean> {
  for (const until = performance.now() + timeoutMs; performance.now() < until; await sleep(POLL_MS))
    if (await is().catch(() => false)) return true;
  return false;
}

async function withIndex<T>(dir: string, read: (db: IndexDb) => T | Promise<T>): Promise<T> {
  const db = openIndexForReading(dir);
  if (!db) throw new Error(`no index in ${dir}`);
  try {
    return await read(db);
  } finally {
    db.close();
  }
}
