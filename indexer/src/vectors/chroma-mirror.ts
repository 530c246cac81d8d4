/** Makes Chroma equal to the chunks of the work tree, and keeps it so. */
import { setTimeout as sleep } from "node:timers/promises";
import type { IndexDb } from "@dhi/core/index-db";
import { UpstreamError } from "@dhi/core/upstream-error";
import type { VectorStore } from "@dhi/core/vector-store";
import { metadataOf, type VectorTable, vectorTable, type WantedVector } from "./vector-table.ts";

export interface ChromaMirror {
  /** Notes paths whose chunks or embeddings may be others. */
  changed(paths: Iterable<string>): void;
  /**
   * Connects, or brings some paths in line, or checks that nothing was lost.
   *
   * @returns milliseconds until there is more to do
   * @throws {UpstreamError} when Chroma fails; what was to be done is still to do
   */
  step(signal: AbortSignal): Promise<number>;
  /** Chroma holds what it should, and said so after the last change. */
  settled(): boolean;
  /** The collection that is written. */
  collection(): string;
  stored(): number;
  /** Paths still to look at. */
  waiting(): number;
}

export interface ChromaMirrorDeps {
  readonly db: IndexDb;
  readonly embedderId: string;
  readonly openStore: (collection: string) => VectorStore;
  readonly collections: CollectionChoice;
  /** Whether every text has its embedding: until then, a collection is not complete. */
  readonly allEmbedded: () => boolean;
  /** Awaited before each write. */
  readonly letSyncGoFirst: (signal: AbortSignal) => Promise<void>;
  readonly pace: Pace;
}

/** Which collection is written, and what else happens to collections. */
export interface CollectionChoice {
  /** The one to write. */
  current(): string;
  /** Says that it is complete: from now on queries go to it. @returns whether they went to another one */
  complete(): boolean;
  /** Starts a new one that will replace it. */
  renew(): void;
  /** What the names of this workspace's collections start with. */
  readonly prefix: string;
}

export interface Pace {
  /** Between two small writes, so that a completion's query gets its turn. */
  readonly pauseMs: number;
  /** How often to look whether Chroma still holds everything while nothing changes. */
  readonly checkMs: number;
  /** Collections with fewer slots are never rebuilt: Chroma reserves 10,000 from the start. */
  readonly rebuildFromSlots: number;
}

/**
 * A write stalls the reads of its collection. Measured with 5,000 vectors (Chroma 1.0.5, two shared cores), p95 of reads
 * beside adding and deleting: 12 ms in tens, 33 ms in fifties, 120 ms in two-hundreds.
 */
const SMALL_BATCH = 10;
/**
 * For a collection that is being filled and answers little yet. Two to three times as fast as tens; more would hold up
 * this process, as the client spends about 1 ms of its own on a vector.
 */
const FILL_BATCH = 100;
/** Metadata stalls no read. */
const MOVE_BATCH = 100;
/** Looked through in one step when there is nothing to write. */
const PATHS_PER_STEP = 200;

interface Connection {
  readonly store: VectorStore;
  readonly table: VectorTable;
  /** Most of the collection is still missing. */
  filling: boolean;
  stored: number;
  /** Chroma listed its ids and its count has not been found equal since. */
  listed: boolean;
  /** Remains of older collections have been removed. */
  tidy: boolean;
}

export function createChromaMirror(deps: ChromaMirrorDeps): ChromaMirror {
  const { db, embedderId, openStore, collections, allEmbedded, letSyncGoFirst, pace } = deps;
  const changedPaths = new Set<string>();
  const movedPaths = new Set<string>();
  let connection: Connection | undefined;
  let stored = 0;
  let settled = false;
  /** A write failed: Chroma may have done it or may still do it, so only its own list is believed. */
  let inDoubt = false;

  async function step(signal: AbortSignal): Promise<number> {
    try {
      return await work(signal);
    } catch (error) {
      // The next connection compares every path, so nothing needs to be put back.
      connection = undefined;
      settled = false;
      throw error;
    }
  }

  async function work(signal: AbortSignal): Promise<number> {
    connection ??= await connect(signal);
    const to = connection;
    if (changedPaths.size) await writeSome(to, signal);
    else if (movedPaths.size) await moveSome(to, signal);
    else return settle(to, signal);
    stored = to.stored;
    return 0;
  }

  async function connect(signal: AbortSignal): Promise<Connection> {
    const store = openStore(collections.current());
    const table = vectorTable(db, await store.collectionId(signal), embedderId);
    const listed = inDoubt || (await store.count(signal)) !== table.count();
    if (listed) await table.replaceWith(await store.ids(signal));
    inDoubt = false;
    for await (const path of table.allPaths()) changedPaths.add(path);
    stored = table.count();
    return { store, table, filling: stored < liveChunks(db) / 2, stored, listed, tidy: false };
  }

  async function writeSome(to: Connection, signal: AbortSignal): Promise<void> {
    // Connected before the first sync, or before a branch with far more files. A path has at least one chunk.
    to.filling ||= to.stored < changedPaths.size / 2;
    const size = to.filling ? FILL_BATCH : SMALL_BATCH;
    const add: WantedVector[] = [];
    const remove: string[] = [];
    let looked = 0;
    for (const path of changedPaths) {
      if (Math.max(add.length, remove.length) >= size || looked++ >= PATHS_PER_STEP) break;
      changedPaths.delete(path);
      const difference = to.table.difference(path);
      add.push(...difference.add);
      remove.push(...difference.remove);
      if (difference.move.length) movedPaths.add(path);
    }
    try {
      // The new before the old: a chunk that changed is never missing altogether.
      await inBatches(add, size, to, signal, (batch) => write(to, batch, signal));
      await inBatches(remove, size, to, signal, async (batch) => {
        await to.store.delete(batch, signal);
        to.table.removed(batch);
        to.stored -= batch.length;
      });
    } catch (error) {
      inDoubt = true;
      throw error;
    }
  }

  async function write(to: Connection, wanted: readonly WantedVector[], signal: AbortSignal): Promise<void> {
    const sent: WantedVector[] = [];
    const records = wanted.flatMap((w) => {
      const record = to.table.record(w);
      if (record) sent.push(w);
      return record ?? [];
    });
    if (records.length === 0) return;
    await to.store.add(records, signal);
    to.table.added(sent);
    to.stored += sent.length;
  }

  async function moveSome(to: Connection, signal: AbortSignal): Promise<void> {
    const moved: WantedVector[] = [];
    for (const path of movedPaths) {
      if (moved.length >= MOVE_BATCH) break;
      movedPaths.delete(path);
      moved.push(...to.table.difference(path).move);
    }
    await inBatches(moved, MOVE_BATCH, to, signal, async (batch) => {
      const records = batch.map((w) => ({ id: w.id, metadata: metadataOf(w) }));
      await to.store.updateMetadata(records, signal);
      to.table.moved(batch);
    });
  }

  async function inBatches<T>(
    items: readonly T[],
    size: number,
    { filling }: Connection,
    signal: AbortSignal,
    write: (batch: T[]) => Promise<void>,
  ): Promise<void> {
    for (let i = 0; i < items.length; i += size) {
      await letSyncGoFirst(signal);
      await write(items.slice(i, i + size));
      if (!filling) await sleep(pace.pauseMs, undefined, { signal });
    }
  }

  /** Everything known is written: is it true, is it all, and is it time for a new collection? */
  async function settle(to: Connection, signal: AbortSignal): Promise<number> {
    const held = await to.store.count(signal);
    if (held !== to.stored) {
      inDoubt = true;
      connection = undefined;
      if (!to.listed) return 0;
      throw new UpstreamError("chroma", `holds ${held} vectors after listing ${to.stored}`);
    }
    to.listed = false;
    // While Chroma was asked, something may have come.
    if (changedPaths.size || movedPaths.size) return 0;
    if (!allEmbedded()) return pace.checkMs;

    to.filling = false;
    if (collections.complete() || !to.tidy) {
      await to.store.dropOthers(collections.prefix, signal);
      to.table.forgetOthers();
      to.tidy = true;
    }
    if (changedPaths.size) return 0;
    const slots = to.table.slots();
    if (slots >= pace.rebuildFromSlots && slots > 2 * to.stored) {
      collections.renew();
      connection = undefined;
      return 0;
    }
    settled = true;
    return pace.checkMs;
  }

  return {
    changed(paths) {
      for (const path of paths) changedPaths.add(path);
      settled = false;
    },
    step,
    settled: () => settled,
    collection: () => collections.current(),
    stored: () => stored,
    waiting: () => changedPaths.size + movedPaths.size,
  };
}

function liveChunks(db: IndexDb): number {
  const row = db.prepare<[], { n: number }>(
    "SELECT coalesce(sum(blobs.chunks), 0) AS n FROM live JOIN blobs ON blobs.id = live.blob_id",
  );
  return row.get()?.n ?? 0;
}
