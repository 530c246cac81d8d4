/**
 * The indexer at work. Syncs run in two lanes, each in the order they were asked for: comparisons of everything and jobs,
 * which take minutes, and the few paths of a save, which must not wait for them.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SkipReason } from "@dhi/core/chunk";
import { languageById, languageOf } from "@dhi/core/languages";
import type { Logger } from "@dhi/core/log";
import type { IndexerStatus, IndexResponse, Job } from "@dhi/core/protocol";
import { describeError, isAbortError } from "@dhi/core/upstream-error";
import { createDocuments, type Documents } from "./documents.ts";
import { readDocument } from "./documents-read.ts";
import { type Explanation, explain } from "./explain.ts";
import { indexFile, indexSource } from "./index-file.ts";
import type { FileRow, IndexStore } from "./index-store.ts";
import { createJobs } from "./jobs.ts";
import { createLane, type Task } from "./lane.ts";
import { createReadAhead } from "./read-ahead.ts";
import { createReadOrder } from "./read-order.ts";
import { skipByName } from "./skip-reason.ts";
import { createStorageRecovery } from "./storage-recovery.ts";
import { type SyncDeps, sync, TreeMovedError } from "./sync.ts";
import type { TypeScriptFollower } from "./typescript/start-typescript.ts";
import type { VectorSync } from "./vectors/vector-sync.ts";
import type { WorkTree } from "./work-tree.ts";

export interface Indexer {
  /** Brings the paths in line, after what is already asked for. `""` is everything. */
  syncPaths(paths: readonly string[]): void;
  /** See ReadAhead. */
  readAhead(paths: readonly string[]): void;
  /** The same as a job. @returns its id */
  startJob(path: string): string;
  job(id: string): Job | undefined;
  cancelJob(id: string): void;
  /**
   * Indexes one file now. Content that is given stands for the file until that changes on the disk or is synced.
   *
   * @param language as a client names it; default: by the file's name
   */
  indexNow(path: string, content?: string, language?: string): Promise<IndexResponse>;
  /** Unsaved buffers of editors. */
  readonly documents: Documents;
  /** What the index knows of a path, or why it knows nothing. */
  explain(path: string): Promise<Explanation>;
  /** Whether git moved the tree, or a rule outside it changed, since the last sync of everything began. */
  hasMoved(): boolean;
  status(): IndexerStatus;
  isSyncing(): boolean;
  /** Settles when nothing is left to sync. */
  idle(): Promise<void>;
  /** Settles when the sync that was running has stopped. */
  close(): Promise<void>;
}

export interface IndexerDeps extends Omit<SyncDeps, "onParsed" | "order" | "embedNow" | "embedsNow"> {
  /** On the wire. */
  readonly workspace: string;
  readonly tree: WorkTree;
  readonly store: IndexStore;
  /** A function, because the embedder may be exchanged while running. */
  readonly vectors: () => Pick<VectorSync, "kick" | "embedNow" | "embedsNow" | "status" | "progress">;
  /** The folder of `index.db`. */
  readonly indexDir: string;
  /** SQLite met damage in `index.db`. */
  readonly onDamaged: () => void;
  readonly typescript?: Pick<TypeScriptFollower, "kick" | "status">;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

export function createIndexer(deps: IndexerDeps): Indexer {
  const { root, tree, store, vectors, typescript, log, maxFileBytes, workspace } = deps;
  let filesParsed = 0;
  const order = createReadOrder();
  const syncDeps: SyncDeps = {
    ...{ ...deps, order, onParsed: () => filesParsed++ },
    embedNow: (path, chunks) => vectors().embedNow(path, chunks),
    embedsNow: () => vectors().embedsNow,
  };
  const ahead = createReadAhead({ ...syncDeps, tree });
  const jobs = createJobs({
    chunkCount: store.chunkCount,
    vectors: (more) => vectors().progress(store.counts().chunks, more),
  });
  const closing = new AbortController();
  const lanes = { long: createLane(perform, onDrained), short: createLane(perform, onDrained) };
  let state: IndexerStatus["state"] = "starting";
  let failure: string | undefined;
  let lastChangeAt: string | null = null;
  /** Of the tree that the last sync of everything began with. */
  let gitStamp: string | undefined;
  /** Of the tree that this process has indexed as a whole. */
  let indexedStamp: string | undefined;
  const disk = createStorageRecovery({
    dir: deps.indexDir,
    onDamaged: deps.onDamaged,
    retry: () => syncPaths([""]),
  });

  let contentsBeingRead = 0;
  const documents = createDocuments({
    store,
    whyRefused,
    read: (document) => readDocument(document, syncDeps),
    onChange: changed,
    isReading: () => contentsBeingRead > 0 || !isIdle(),
  });

  function changed(): void {
    lastChangeAt = new Date().toISOString();
    vectors().kick();
    typescript?.kick();
  }

  const isIdle = () => lanes.long.isIdle() && lanes.short.isIdle();
  function onDrained(): void {
    if (isIdle()) order.forget();
  }

  function syncPaths(paths: readonly string[]): void {
    const lane = paths.includes("") || paths.length > MOST_SAVED ? lanes.long : lanes.short;
    const last = lane.lastWaiting((task) => !task.isJob);
    if (last) for (const path of paths) last.paths.add(path);
    else
      lane.enqueue({
        paths: new Set(paths),
        signal: closing.signal,
        progress: { onStart() {}, onFile() {} },
        finish() {},
        isJob: false,
      });
  }

  async function perform(task: Task): Promise<void> {
    const { paths, isJob, finish } = task;
    const isFull = paths.has("");
    try {
      if (isFull) state = "syncing";
      const began = performance.now();
      const parsedBefore = filesParsed;
      const changes = await (isFull || isJob ? syncWhole(task) : syncSaved(task));
      if (changes) changed();
      if (isFull) {
        await documents.recheck();
        failure = undefined;
        disk.worked();
        const ms = Math.round(performance.now() - began);
        log.info({ changed: changes, parsed: filesParsed - parsedBefore, ms }, "in step with the work tree");
      }
      finish();
    } catch (error) {
      // Whatever was not done is found again by the next comparison of everything.
      gitStamp = undefined;
      const diskWords = disk.failed(error);
      finish(diskWords === undefined ? error : new Error(diskWords, { cause: error }));
      if (!isAbortError(error)) {
        const words = diskWords ?? describeError(error);
        log.error(`sync failed: ${words}`);
        if (isFull) failure = words;
      }
    }
    if (isFull) state = failure === undefined ? "watching" : "failed";
  }

  /** Again, when git moved the tree meanwhile: a tree is taken in as git made it, or not yet. */
  async function syncWhole({ paths, progress, signal }: Task): Promise<number> {
    const isFull = paths.has("");
    const until = performance.now() + FOLLOW_GIT_MS;
    for (;;) {
      while (tree.isMoving()) await sleep(GIT_LOOK_MS, undefined, { signal });
      if (isFull) await tree.refresh();
      const stamp = tree.stamp();
      if (isFull) gitStamp = stamp;
      const treeStamp = performance.now() < until ? stamp : undefined;
      try {
        const scope = isFull ? [""] : [...paths];
        const isMovedByGit = stamp !== store.meta("tree") && store.isComplete();
        // While git is asked what there is, the threads go on.
        const readAhead = { beforeReading: ahead.stop, found: ahead.found };
        const deps = { ...syncDeps, ...readAhead, treeStamp, isMovedByGit };
        const changes = await sync(scope, tree, deps, progress, signal);
        ahead.forget();
        if (isFull) {
          indexedStamp = stamp;
          store.setMeta("tree", stamp);
        }
        return changes;
      } catch (error) {
        if (!(error instanceof TreeMovedError)) throw error;
      }
    }
  }

  /** Files of another tree than the one that is indexed wait for all the others of theirs. */
  async function syncSaved({ paths, progress, signal }: Task): Promise<number> {
    try {
      if (tree.stamp() === indexedStamp || !store.isComplete()) {
        const isKnownTree = indexedStamp !== undefined;
        const deps = { ...syncDeps, treeStamp: indexedStamp, isKnownTree, areNew: true };
        return await sync([...paths], tree, deps, progress, signal);
      }
    } catch (error) {
      if (!(error instanceof TreeMovedError)) throw error;
    }
    syncPaths([""]);
    return 0;
  }

  async function indexOne(path: string): Promise<FileRow | SkipReason> {
    const file = (await tree.files([path])).find((f) => f.path === path);
    if (!file) return whyNotInTree(path);
    return indexFile(file, syncDeps);
  }

  async function indexContent(
    path: string,
    content: string,
    language?: string,
  ): Promise<FileRow | SkipReason> {
    const bytes = Buffer.from(content);
    const skip = bytes.byteLength > maxFileBytes ? "too-large" : skipByName(path);
    if (skip) return skip;
    if (await tree.isIgnored(path)) return "ignored";
    return indexSource(
      path,
      { bytes, changedMs: null },
      syncDeps,
      language ? languageById(language) : languageOf(path),
    );
  }

  /** Rules by name and place, which a buffer meets as the file would. */
  async function whyRefused(paths: readonly string[]): Promise<ReadonlyMap<string, SkipReason>> {
    const refused = new Map<string, SkipReason>();
    const inTree = new Map((await tree.files(paths)).map((file) => [file.path, file.skip]));
    for (const path of paths) {
      const why = skipByName(path) ?? (inTree.has(path) ? inTree.get(path) : await whyNotInTree(path));
      // Not on the disk yet, or too large there: the buffer has a size of its own.
      if (why && why !== "missing" && why !== "too-large") refused.set(path, why);
    }
    return refused;
  }

  async function whyNotInTree(path: string): Promise<SkipReason> {
    if (await tree.isIgnored(path)) return "ignored";
    try {
      // A name that is too long for the file system throws, and one in a closed folder.
      const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
      if (!stat) return "missing";
      return stat.isFile() ? "unreadable" : "not-a-file";
    } catch {
      return "unreadable";
    }
  }

  function answer(row: FileRow | SkipReason): IndexResponse {
    if (typeof row === "string") return { indexed: 0, skipped: row };
    return { indexed: store.chunkCount(row), ...(row.skip && { skipped: row.skip }) };
  }

  return {
    syncPaths,
    readAhead: ahead.add,
    startJob(path) {
      const job = jobs.start();
      lanes.long.enqueue({ ...job, paths: new Set([path]), isJob: true });
      return job.id;
    },
    job: jobs.get,
    cancelJob: jobs.cancel,
    async indexNow(path, content, language) {
      const look = order.next();
      contentsBeingRead++;
      try {
        const row = await (content === undefined ? indexOne(path) : indexContent(path, content, language));
        if (!order.claim(path, look)) return answer(row);
        if (typeof row === "string" || row.skip === "missing") store.setMembership([], [path]);
        else store.setMembership([row], []);
        changed();
        return answer(row);
      } finally {
        contentsBeingRead--;
      }
    },
    documents,
    explain: (path) => explain(path, deps),
    hasMoved: () => gitStamp !== tree.stamp(),
    status() {
      const { textsEmbedded, storage, ...embedding } = vectors().status();
      const diskWords = disk.problem() ?? storage?.words;
      const error = diskWords ?? failure;
      const job = jobs.newest();
      return {
        workspace,
        state: diskWords === undefined ? state : "failed",
        ...(error !== undefined && { error }),
        ...store.counts(),
        ...embedding,
        ...(typescript && { typescript: typescript.status() }),
        lastChangeAt,
        etaMs: job?.state === "running" ? job.etaMs : vectors().progress(store.counts().chunks, 0).etaMs,
        job,
        counters: { filesParsed, textsEmbedded },
      };
    },
    isSyncing: () => !isIdle(),
    async idle() {
      while (!isIdle()) await Promise.all([lanes.long.drained(), lanes.short.drained()]);
    },
    async close() {
      closing.abort();
      disk.close();
      documents.stop();
      jobs.cancelAll();
      await ahead.stop();
      await Promise.all([lanes.long.drained(), lanes.short.drained()]);
    },
  };
}

/** How often to look whether git is done. */
const GIT_LOOK_MS = 20;
/** A rebase of a thousand commits is followed as it goes after that long. */
const FOLLOW_GIT_MS = 10_000;

/** More paths than an editor saves at once: a build, or a checkout that git is not asked about. */
const MOST_SAVED = 200;
