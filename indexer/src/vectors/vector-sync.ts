/** Embeds what is new and keeps Chroma equal to the work tree, in the background: two loops that wait for nobody else. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Embedder } from "@dhi/core/embedder";
import type { IndexDb } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import type { IndexerStatus } from "@dhi/core/protocol";
import type { VectorStore } from "@dhi/core/vector-store";
import { type RetryDelays, startBackgroundLoop } from "./background-loop.ts";
import { watchFileRows } from "./changed-files.ts";
import { createChromaMirror, type Pace } from "./chroma-mirror.ts";
import { chooseCollection } from "./collection-choice.ts";
import { createEmbeddingQueue } from "./embedding-queue.ts";

export interface VectorSync {
  /** Looks at once for what changed in `index.db`. */
  kick(): void;
  /** Settles when every text that can be embedded is, and Chroma holds it. Waits as long as either is down. */
  idle(signal?: AbortSignal): Promise<void>;
  status(): VectorSyncStatus;
  /** Stops both loops, in the middle of a request if need be; what is not done is found again by the next start. */
  close(): Promise<void>;
}

export interface VectorSyncStatus extends Pick<IndexerStatus, "embedder" | "pendingEmbeddings" | "vectors"> {
  /** Since the start. */
  readonly textsEmbedded: number;
}

export interface VectorSyncDeps {
  /** The connection that writes the index: what other connections write is seen at the next start only. */
  readonly db: IndexDb;
  readonly embedder: Embedder;
  /** Why this embedder, for the status while it works. */
  readonly embedderDetail: string;
  /** See `collectionName` and `collectionPrefix`. */
  readonly collection: { readonly name: string; readonly prefix: string };
  readonly openStore: (collection: string) => VectorStore;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Whether a sync runs: that goes first, since a completion sees what it brings long before it sees a vector. */
  readonly isSyncing?: () => boolean;
  readonly timing?: Partial<VectorSyncTiming>;
}

export interface VectorSyncTiming extends Pace {
  readonly retry: RetryDelays;
  /** See EmbeddingQueueDeps. */
  readonly failedTextMs: number;
}

const usualTiming: VectorSyncTiming = {
  pauseMs: 20,
  checkMs: 15_000,
  rebuildFromSlots: 10_000,
  retry: { firstMs: 1_000, mostMs: 30_000 },
  failedTextMs: 60_000,
};

/** Starts at once. One at a time for a connection. */
export function createVectorSync(deps: VectorSyncDeps): VectorSync {
  const { db, embedder, embedderDetail, collection, openStore, log } = deps;
  const timing = { ...usualTiming, ...deps.timing };
  const waiting = new Set<() => void>();
  const letSyncGoFirst = (signal: AbortSignal) => untilFalse(deps.isSyncing, signal);

  const texts = createEmbeddingQueue({
    db,
    embedder,
    letSyncGoFirst,
    failedTextMs: timing.failedTextMs,
    onEmbedded(paths) {
      mirror.changed(paths);
      mirrorLoop.wake();
    },
  });
  const mirror = createChromaMirror({
    db,
    embedderId: embedder.id,
    openStore,
    collections: chooseCollection({
      db,
      embedderId: embedder.id,
      baseName: collection.name,
      prefix: collection.prefix,
    }),
    allEmbedded: texts.idle,
    letSyncGoFirst,
    pace: timing,
  });
  const stopWatching = watchFileRows(db, (path) => {
    texts.changed(path);
    mirror.changed([path]);
  });

  const done = () => texts.idle() && mirror.settled();
  function onRest(): void {
    if (done()) for (const settle of waiting) settle();
  }
  const embeddingLoop = startBackgroundLoop({
    step: texts.step,
    retry: timing.retry,
    onRest() {
      onRest();
      // The mirror may have waited for the last text.
      if (texts.idle() && !mirror.settled()) mirrorLoop.wake();
    },
    onFailure: (words) => report("embedder", words),
  });
  const mirrorLoop = startBackgroundLoop({
    step: mirror.step,
    retry: timing.retry,
    onRest,
    onFailure: (words) => report("chroma", words),
  });

  function report(what: string, words: string | undefined): void {
    if (words === undefined) log.info(`${what} works again`);
    else log.warn(`${what} is down, trying again: ${words}`);
  }

  function kick(): void {
    embeddingLoop.wake();
    mirrorLoop.wake();
  }

  function embedderStatus(): VectorSyncStatus["embedder"] {
    const failure = embeddingLoop.failure();
    return {
      id: embedder.id,
      status: failure === undefined ? "ok" : "down",
      detail: failure ?? texts.problem() ?? embedderDetail,
    };
  }

  function vectorStatus(): VectorSyncStatus["vectors"] {
    const failure = mirrorLoop.failure();
    const base = { collection: mirror.collection(), stored: mirror.stored() };
    if (failure !== undefined) return { ...base, status: "down", detail: failure };
    if (done()) return { ...base, status: "ok", detail: "holds every chunk" };
    return { ...base, status: "catching-up", detail: `${mirror.waiting()} files to compare` };
  }

  return {
    kick,
    async idle(signal) {
      signal?.throwIfAborted();
      if (done()) return;
      await new Promise<void>((resolve, reject) => {
        const settle = () => {
          waiting.delete(settle);
          signal?.removeEventListener("abort", settle);
          if (signal?.aborted) reject(signal.reason);
          else resolve();
        };
        waiting.add(settle);
        signal?.addEventListener("abort", settle);
        kick();
      });
    },
    status: () => ({
      embedder: embedderStatus(),
      pendingEmbeddings: texts.pending(),
      vectors: vectorStatus(),
      textsEmbedded: texts.embedded(),
    }),
    async close() {
      stopWatching();
      await Promise.all([embeddingLoop.close(), mirrorLoop.close()]);
    },
  };
}

/** Of a sync that takes longer, embedding does a little now and then. */
const SYNC_FIRST_MS = 2_000;
const LOOK_AGAIN_MS = 20;

async function untilFalse(is: (() => boolean) | undefined, signal: AbortSignal): Promise<void> {
  const until = performance.now() + SYNC_FIRST_MS;
  while (is?.() && performance.now() < until) await sleep(LOOK_AGAIN_MS, undefined, { signal });
}
