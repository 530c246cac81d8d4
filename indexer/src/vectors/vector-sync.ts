/** Embeds what is new and keeps Chroma equal to the work tree, in the background: two loops that wait for nobody else. */
import { dirname } from "node:path";
import type { Embedder } from "@dhi/core/embedder";
import type { IndexDb } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import type { IndexerStatus } from "@dhi/core/protocol";
import { describeError } from "@dhi/core/upstream-error";
import type { VectorStore } from "@dhi/core/vector-store";
import { type StorageProblem, storageProblem } from "../storage-problem.ts";
import {
  type BackgroundLoop,
  type LoopFailure,
  type RetryDelays,
  startBackgroundLoop,
} from "./background-loop.ts";
import { watchFileRows } from "./changed-files.ts";
import { createChromaMirror, type Pace } from "./chroma-mirror.ts";
import { describeChromaError } from "./chroma-problem.ts";
import { chooseCollection } from "./collection-choice.ts";
import { embeddingKey } from "./embedding-key.ts";
import { createEmbeddingQueue, type EmbeddingQueue } from "./embedding-queue.ts";
import { createPauseTyping } from "./pause-typing.ts";
import { createThrottle, type Demand } from "./throttle.ts";

export interface VectorSync {
  /** Looks at once for what changed in `index.db`. */
  kick(): void;
  /** See EmbeddingQueue. Works after `close`, too: a save may be on its way while another embedder takes over. */
  readonly embedNow: EmbeddingQueue["embedNow"];
  readonly embedsNow: boolean;
  /** Settles when every text that can be embedded is, and Chroma holds it. Waits as long as either is down. */
  idle(signal?: AbortSignal): Promise<void>;
  status(): VectorSyncStatus;
  /**
   * @param chunks of the work tree right now
   * @param more that are still to come
   */
  progress(chunks: number, more: number): VectorProgress;
  /** Under which name the only vectors are kept that anybody needs; `undefined` while others still answer. */
  onlyEmbedder(): string | undefined;
  /** Stops both loops, in the middle of a request if need be; what is not done is found again by the next start. */
  close(): Promise<void>;
}

export interface VectorSyncStatus extends Pick<IndexerStatus, "embedder" | "pendingEmbeddings" | "vectors"> {
  /** Since the start. */
  readonly textsEmbedded: number;
  /** What is wrong with the disk of the index, when that is what holds them up. */
  readonly storage: StorageProblem | undefined;
}

export interface VectorProgress {
  /** Chunks whose vector is stored… */
  readonly embedded: number;
  /** …of those that will have one. */
  readonly chunksTotal: number;
  /** Milliseconds until they have; `null` while too little is known, or something is down. */
  readonly etaMs: number | null;
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
  /** Who goes first; without it nobody. */
  readonly demand?: Partial<Demand>;
  /** Whether an editor has a path open and not saved. */
  readonly isTyped?: (path: string) => boolean;
  /** `index.db` is damaged: nothing more can be done until it is opened anew. */
  readonly onDamaged?: () => void;
  readonly timing?: Partial<VectorSyncTiming>;
}

export interface VectorSyncTiming extends Pace {
  readonly retry: RetryDelays;
  /** See EmbeddingQueueDeps. */
  readonly failedTextMs: number;
  /** How long a buffer that is being typed stands still before a model embeds what is new in it. */
  readonly stillMs: number;
}

const usualTiming: VectorSyncTiming = {
  gatherMs: 500,
  pauseMs: 20,
  checkMs: 15_000,
  rebuildFromSlots: 1_000,
  refusedMs: 60_000,
  retry: { firstMs: 1_000, mostMs: 30_000 },
  failedTextMs: 60_000,
  stillMs: 1_000,
};

/** Starts at once. One at a time for a connection. */
export function createVectorSync(deps: VectorSyncDeps): VectorSync {
  const { db, embedder, embedderDetail, collection, openStore, log } = deps;
  const timing = { ...usualTiming, ...deps.timing };
  const demand: Demand = {
    isSyncing: () => false,
    isCompleting: () => false,
    onBattery: () => false,
    ...deps.demand,
  };
  const waiting = new Set<() => void>();
  const storageProblemOf = (error: unknown) => storageProblem(error, dirname(db.name));

  const key = embeddingKey(db, embedder.id);
  const texts = createEmbeddingQueue({
    ...{ db, embedder, key },
    throttle: createThrottle(demand),
    failedTextMs: timing.failedTextMs,
    onReady(paths) {
      mirror.changed(paths);
      mirrorLoop.wake();
    },
    onOtherLength() {
      log.warn(`${embedder.id} makes vectors of another length than before: building a new collection`);
      mirror.reconnect();
    },
  });
  const mirror = createChromaMirror({
    ...{ db, openStore },
    embedder: key.current,
    collections: chooseCollection({
      db,
      embedderId: embedder.id,
      baseName: () => collection.name + key.suffix(),
      prefix: collection.prefix,
    }),
    allEmbedded: texts.idle,
    throttle: createThrottle(demand),
    pace: timing,
  });
  const typing = createPauseTyping({
    isTyped: deps.isTyped ?? (() => false),
    stillMs: embedder.isInstant ? 0 : timing.stillMs,
    onStill(path) {
      texts.changed(path);
      embeddingLoop.wake();
    },
  });
  const stopWatching = watchFileRows(db, typing.changed);

  const done = () => typing.waiting() === 0 && texts.idle() && mirror.settled();
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
    onFailure(failure) {
      if (failure) texts.release();
      report("embedder", failure);
    },
    describe: (error) => storageProblemOf(error)?.words ?? describeError(error),
  });
  const mirrorLoop = startBackgroundLoop({
    step: mirror.step,
    retry: timing.retry,
    onRest,
    onFailure: (failure) => report("chroma", failure),
    describe: (error) => storageProblemOf(error)?.words ?? describeChromaError(error),
  });

  function report(what: string, failure: LoopFailure | undefined): void {
    if (!failure) {
      log.info(`${what} works again`);
      return;
    }
    const problem = storageProblemOf(failure.error);
    // Words of our own name whose disk it is, and what to do.
    const isKnown = failure.words !== describeError(failure.error);
    log.warn(isKnown ? failure.words : `${what} is down, trying again: ${failure.words}`);
    if (problem?.kind === "damaged") deps.onDamaged?.();
  }

  function kick(): void {
    embeddingLoop.wake();
    mirrorLoop.wake();
  }

  /** @returns why a loop's own server does not do its part; the disk of the index is another matter */
  const failureOf = (loop: BackgroundLoop): string | undefined => {
    const failure = loop.failure();
    return failure && !storageProblemOf(failure.error) ? failure.words : undefined;
  };

  function embedderStatus(): VectorSyncStatus["embedder"] {
    const failure = failureOf(embeddingLoop);
    return {
      id: embedder.id,
      status: failure === undefined ? "ok" : "down",
      detail: failure ?? texts.problem() ?? embedderDetail,
    };
  }

  function vectorStatus(): VectorSyncStatus["vectors"] {
    const failure = failureOf(mirrorLoop);
    const base = { collection: mirror.collection(), stored: mirror.stored() };
    if (failure !== undefined) return { ...base, status: "down", detail: failure };
    if (done()) return { ...base, status: "ok", detail: mirror.problem() ?? "holds every chunk" };
    return { ...base, status: "catching-up", detail: `${mirror.waiting()} files to compare` };
  }

  return {
    kick,
    embedNow: texts.embedNow,
    embedsNow: embedder.isInstant ?? false,
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
      storage: storageProblemOf((embeddingLoop.failure() ?? mirrorLoop.failure())?.error),
    }),
    progress(chunks, more) {
      const embedded = mirror.stored();
      if (done() && more === 0) return { embedded, chunksTotal: embedded, etaMs: 0 };
      const chunksTotal = Math.round(Math.max(chunks + more, embedded + texts.pending()));
      if (embeddingLoop.failure() || mirrorLoop.failure()) return { embedded, chunksTotal, etaMs: null };
      const textsLeft = texts.pending() + more;
      // A chunk of blanks gets no vector, and a file has one for a text that it holds twice.
      const vectorsLeft = mirror.waiting()
        ? chunksTotal - embedded
        : Math.min(chunksTotal - embedded, textsLeft);
      // Both go on at the same time.
      const etas = [timeFor(textsLeft, texts.msPerText()), timeFor(vectorsLeft, mirror.msPerVector())];
      const etaMs = etas.includes(null) ? null : Math.round(Math.max(...etas.map(Number)));
      return { embedded, chunksTotal, etaMs };
    },
    onlyEmbedder: () => (done() ? key.current() : undefined),
    async close() {
      stopWatching();
      typing.close();
      await Promise.all([embeddingLoop.close(), mirrorLoop.close()]);
    },
  };
}

const timeFor = (items: number, msPerItem: number | undefined): number | null =>
  items <= 0 ? 0 : msPerItem === undefined ? null : items * msPerItem;
