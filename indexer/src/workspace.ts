/** One workspace at work: its lock, index, work tree, vectors and watcher, put together. */
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { CHUNKER_VERSION } from "@dhi/core/chunk";
import type { ChosenEmbedder } from "@dhi/core/create-embedder";
import { indexDir, readMeta } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import { describeError, isAbortError } from "@dhi/core/upstream-error";
import { collectionName, collectionPrefix, createVectorStore } from "@dhi/core/vector-store";
import type { WorkspaceSetting } from "@dhi/core/workspaces";
import type { AnalysisThreads } from "./analysis-threads.ts";
import type { IndexerConfig } from "./config.ts";
import type { Embedders } from "./embedders.ts";
import { createIndexStore } from "./index-store.ts";
import { createIndexer, type Indexer } from "./indexer.ts";
import { keepInStep } from "./keep-in-step.ts";
import { lockIndex } from "./lock.ts";
import { markAsDamaged, openIndex } from "./open-index.ts";
import { createPruner } from "./prune.ts";
import { SKIP_RULES } from "./skip-reason.ts";
import { storageProblem } from "./storage-problem.ts";
import { startTypeScript } from "./typescript/start-typescript.ts";
import type { TypeLooker } from "./typescript/type-process.ts";
import { startBackgroundLoop } from "./vectors/background-loop.ts";
import type { Demand } from "./vectors/throttle.ts";
import { createVectorSync } from "./vectors/vector-sync.ts";
import { createWorkTree } from "./work-tree.ts";
import { stateFolderIn, workspaceRoot } from "./workspace-root.ts";

export interface RunningWorkspace {
  /** On the wire. */
  readonly name: string;
  /** Its folder in absolute forms: as configured, and without symbolic links. */
  readonly roots: readonly string[];
  readonly indexer: Indexer;
  /** Settles when changes are being followed; the first sync may still run. */
  readonly watching: Promise<void>;
  close(): Promise<void>;
}

export interface WorkspaceDeps {
  readonly config: IndexerConfig;
  /** Shared by all workspaces. */
  readonly threads: AnalysisThreads;
  readonly embedders: Embedders;
  /** Who goes before work in the background. */
  readonly demand: Pick<Demand, "isCompleting" | "onBattery">;
  /** TypeScript's language service, shared by all workspaces; or why there is none. */
  readonly looker: TypeLooker | string;
  readonly log: Logger;
}

export interface WorkspaceOptions {
  /** How often `EMBEDDER=auto` looks whether Ollama has the model by now. */
  readonly lookForModelMs?: number;
  /**
   * `index.db` was deleted or replaced, so that nobody else sees what is written any more, or it is damaged: close and
   * open again. There may be more than one sign of it, each with a call.
   */
  readonly onLost?: () => void;
  readonly lookForIndexMs?: number;
}

/**
 * Syncs everything once and then follows changes.
 *
 * @throws {WorkspaceError} {IndexLockedError}
 * @throws when DHI_HOME cannot be written; whatever was opened is closed again
 */
export async function openWorkspace(
  setting: WorkspaceSetting,
  { config, threads, embedders, demand, looker, log }: WorkspaceDeps,
  { lookForModelMs = 60_000, lookForIndexMs = 2_000, onLost = () => {} }: WorkspaceOptions = {},
): Promise<RunningWorkspace> {
  const root = workspaceRoot(setting.path);
  const dir = indexDir(config.DHI_HOME, setting.path);
  makeFolder(dir, config.DHI_HOME);
  const stateFolder = stateFolderIn(root, config.DHI_HOME);

  const stopping = new AbortController();
  /** What to undo, newest first. */
  const undo: (() => unknown)[] = [() => stopping.abort()];
  async function close(): Promise<void> {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  }

  try {
    const lock = lockIndex(dir);
    undo.push(lock.release);
    const db = openIndex(dir, log);
    undo.push(() => db.close());
    undo.push(watchForLoss(join(dir, "index.db"), lookForIndexMs, onLost));
    let isDamaged = false;
    const onDamaged = () => {
      if (isDamaged) return;
      isDamaged = true;
      markAsDamaged(dir);
      onLost();
    };

    const tree = createWorkTree({ root, stateFolder, maxFileBytes: config.MAX_FILE_BYTES, log });
    await tree.refresh();
    const name = setting.name ?? (await tree.git()?.remoteName()) ?? (basename(root) || "root");
    const store = createIndexStore(db);
    store.useSkipRules(SKIP_RULES);
    store.setMeta("workspace", setting.path);
    store.setMeta("name", name);

    let isSyncing = () => false;
    let isTyped = (_path: string) => false;
    const openVectors = ({ embedder, detail }: ChosenEmbedder) => {
      log.info(`embedder ${embedder.id}: ${detail}`);
      return createVectorSync({
        ...{ db, embedder, log, embedderDetail: detail },
        demand: { ...demand, isSyncing: () => isSyncing() },
        onDamaged,
        isTyped: (path) => isTyped(path),
        collection: {
          name: collectionName({
            workspaceName: name,
            workspacePath: setting.path,
            embedderId: embedder.id,
            chunkerVersion: CHUNKER_VERSION,
          }),
          prefix: collectionPrefix(setting.path),
        },
        openStore: (collection) => createVectorStore({ url: config.CHROMA_HOST, collection }),
      });
    };
    let vectors = openVectors(await embedders.choose(readMeta(db, "embedder"), stopping.signal));
    undo.push(() => vectors.close());

    /** Vectors of a model are better: take it as soon as it is there. */
    async function lookForModel(): Promise<void> {
      const now = vectors.status().embedder.id;
      const chosen = await embedders.choose(now, stopping.signal);
      if (chosen.embedder.id === now || stopping.signal.aborted) return;
      await vectors.close();
      if (!stopping.signal.aborted) vectors = openVectors(chosen);
    }
    const looking = setInterval(() => {
      lookForModel().catch((error: unknown) => {
        if (!isAbortError(error)) log.warn(`cannot choose an embedder: ${describeError(error)}`);
      });
    }, lookForModelMs);
    undo.push(() => {
      clearInterval(looking);
      stopping.abort();
    });

    const typescript = startTypeScript({
      ...{ root, db, looker, log },
      demand: { ...demand, isSyncing: () => isSyncing() },
    });
    undo.push(typescript.close);

    const indexer = createIndexer({
      ...{ root, tree, store, threads, log, workspace: name, maxFileBytes: config.MAX_FILE_BYTES },
      ...{ indexDir: dir, onDamaged },
      vectors: () => vectors,
      typescript,
    });
    undo.push(indexer.close);
    isSyncing = indexer.isSyncing;
    isTyped = indexer.documents.isOpen;
    indexer.startJob("");

    const { prune } = createPruner({
      db,
      // What is read ahead of the end of a checkout is not live yet.
      isBusy: () => isSyncing() || demand.isCompleting() || tree.isMoving(),
      embedder: () => vectors.onlyEmbedder(),
    });
    const pruning = startBackgroundLoop({
      async step(signal) {
        await prune(signal);
        return PRUNE_EVERY_MS;
      },
      retry: { firstMs: PRUNE_EVERY_MS, mostMs: 10 * PRUNE_EVERY_MS },
      onRest() {},
      onFailure(failure) {
        if (failure) log.warn(`old contents stay in the index for now: ${failure.words}`);
        if (storageProblem(failure?.error, dir)?.kind === "damaged") onDamaged();
      },
      describe: (error) => storageProblem(error, dir)?.words ?? describeError(error),
    });
    undo.push(pruning.close);

    const watching = keepInStep({
      root,
      tree,
      indexer,
      stateFolder,
      polling: config.WATCH_POLLING,
      log,
    }).then((following) => {
      undo.push(following.close);
      // What changed between the first listing and the first event.
      indexer.syncPaths([""]);
    });
    return {
      name,
      roots: [setting.path, root],
      indexer,
      watching,
      async close() {
        await watching;
        await close();
      },
    };
  } catch (error) {
    await close();
    const problem = storageProblem(error, dir);
    throw problem ? new Error(problem.words, { cause: error }) : error;
  }
}

const PRUNE_EVERY_MS = 5_000;

/** @throws in words that name the setting */
function makeFolder(dir: string, home: string): void {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK);
  } catch (error) {
    throw new Error(
      `DHI_HOME=${home} cannot be written (${describeError(error)}): set it to a folder that can`,
    );
  }
}

/** @returns how to stop */
function watchForLoss(file: string, everyMs: number, onLost: () => void): () => void {
  const inode = () => {
    try {
      return statSync(file).ino;
    } catch {
      // Gone, or its folder is closed to us or fails: whoever opens it again says so.
      return undefined;
    }
  };
  const opened = inode();
  const timer = setInterval(() => {
    if (inode() === opened) return;
    clearInterval(timer);
    onLost();
  }, everyMs);
  return () => clearInterval(timer);
}
