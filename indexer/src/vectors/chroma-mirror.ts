/** Makes Chroma equal to the chunks of the work tree, and keeps it so. */
import type { IndexDb } from "@dhi/core/index-db";
import { UpstreamError } from "@dhi/core/upstream-error";
import { splitVectorId, type VectorStore } from "@dhi/core/vector-store";
import type { CollectionChoice } from "./collection-choice.ts";
import { createRate } from "./rate.ts";
import { createSetAside } from "./set-aside.ts";
import type { Throttle } from "./throttle.ts";
import { type VectorTable, vectorTable, type WantedVector } from "./vector-table.ts";
import { createVectorWriter, type VectorWriter } from "./vector-writer.ts";

export interface ChromaMirror {
  /** Notes paths whose chunks or embeddings may be others. */
  changed(paths: Iterable<string>): void;
  /** Has the next step connect, since another collection is to be written. */
  reconnect(): void;
  /**
   * Connects, or brings some paths in line, or checks that nothing was lost.
   *
   * @returns milliseconds until there is more to do
   * @throws {UpstreamError} when Chroma fails; what was to be done is still to do
   */
  step(signal: AbortSignal): Promise<number>;
  /** Chroma has taken everything that it should hold, and queries go there. */
  settled(): boolean;
  /** The collection that is written. */
  collection(): string;
  stored(): number;
  /** Paths still to look at. */
  waiting(): number;
  /** Milliseconds that a vector takes; `undefined` before the first. */
  msPerVector(): number | undefined;
  /** What is wrong with records that were set aside. */
  problem(): string | undefined;
}

export interface ChromaMirrorDeps {
  readonly db: IndexDb;
  /** See EmbeddingKey. */
  readonly embedder: () => string;
  readonly openStore: (collection: string) => VectorStore;
  readonly collections: CollectionChoice;
  /** Whether every text has its embedding: until then, a collection is not complete. */
  readonly allEmbedded: () => boolean;
  readonly throttle: Throttle;
  readonly pace: Pace;
}

export interface Pace {
  /**
   * What a save changes waits so long for what the next one does. A write stalls the searches of its collection, most of
   * all the one that follows the save, and until then they find its vectors in `index.db`.
   */
  readonly gatherMs: number;
  /** Between two small writes, so that a completion's query gets its turn. */
  readonly pauseMs: number;
  /** How often to look whether Chroma still holds everything. */
  readonly checkMs: number;
  /** Collections with fewer slots are never rebuilt. */
  readonly rebuildFromSlots: number;
  /** A record that is refused alone is tried again after this, then after twice as long, up to an hour. */
  readonly refusedMs: number;
}

/** Looked through in one step when there is nothing to write. */
const PATHS_PER_STEP = 100;
/** As many as one save brings. */
const SAVE_PATHS = 16;

interface Connection {
  readonly store: VectorStore;
  readonly table: VectorTable;
  readonly writer: VectorWriter;
  /** Most of the collection is still missing. */
  filling: boolean;
  checkedAt: number;
  /** Chroma listed its ids and its count has not been found equal since. */
  listed: boolean;
  /** Remains of older collections have been removed. */
  tidy: boolean;
}

export function createChromaMirror(deps: ChromaMirrorDeps): ChromaMirror {
  const { db, embedder, openStore, collections, allEmbedded, throttle, pace } = deps;
  const changedPaths = new Set<string>();
  const movedPaths = new Set<string>();
  /** When the first of those changed paths changed that wait now. */
  let changedSince = Number.NEGATIVE_INFINITY;
  const refused = createSetAside(pace.refusedMs);
  const rate = createRate();
  let connection: Connection | undefined;
  let stored = 0;
  /** Every path has been looked at since this collection was connected first. */
  let compared: string | undefined;
  let settled = false;
  /** A write failed: Chroma may have done it or may still do it, so only its own list is believed. */
  let inDoubt = false;

  async function step(signal: AbortSignal): Promise<number> {
    try {
      return await work(signal);
    } catch (error) {
      connection = undefined;
      settled = false;
      throw error;
    }
  }

  async function work(signal: AbortSignal): Promise<number> {
    const to = connection ?? (await connect(signal));
    // Another one is to be written since.
    if (to.store.collection !== collections.current()) {
      connection = undefined;
      return 0;
    }
    connection = to;
    for (const id of refused.due()) changedPaths.add(splitVectorId(id)?.path ?? "");
    const gathering = changedSince + pace.gatherMs - performance.now();
    const isSave = changedPaths.size > 0 && changedPaths.size <= SAVE_PATHS;
    if (isSave && gathering > 0 && !to.filling) return gathering;
    // What is left of more than a save's goes on at once.
    changedSince = Number.NEGATIVE_INFINITY;
    if (changedPaths.size) await writeSome(to, signal);
    else if (movedPaths.size) await moveSome(to, signal);
    else return settle(to, signal);
    stored = to.table.count();
    return 0;
  }

  async function connect(signal: AbortSignal): Promise<Connection> {
    const store = openStore(collections.current());
    const id = await store.collectionId(signal);
    const table = vectorTable(db, id, embedder);
    const listed = inDoubt || (await store.count(signal)) !== table.count();
    if (listed) await believe(store, table, signal);
    if (compared !== id) for await (const path of table.allPaths()) changedPaths.add(path);
    compared = id;
    stored = table.count();
    const writer = createVectorWriter({
      ...{ store, table, refused, throttle, rate },
      isBacklog: () => changedPaths.size > SAVE_PATHS,
      isFilling: () => to.filling,
      pauseMs: pace.pauseMs,
    });
    const filling = table.count() < liveChunks(db) / 2;
    const to = { store, table, writer, filling, listed, checkedAt: performance.now(), tidy: false };
    return to;
  }

  /** Takes Chroma's own list for what it holds. */
  async function believe(store: VectorStore, table: VectorTable, signal: AbortSignal): Promise<void> {
    inDoubt = true;
    const ids = await store.ids(signal);
    const strays = ids.filter((id) => !splitVectorId(id));
    if (strays.length) await store.delete(strays, signal);
    const difference = await table.compareWith(ids.filter((id) => splitVectorId(id)));
    // Noted before it is taken over: a failure in the middle leaves nothing that looks equal.
    for (const id of [...difference.missing, ...difference.unknown])
      changedPaths.add(splitVectorId(id)?.path ?? "");
    await table.takeOver(difference);
    inDoubt = false;
  }

  async function writeSome(to: Connection, signal: AbortSignal): Promise<void> {
    // Connected before the first sync, or before a branch with far more files. A path has at least one chunk.
    to.filling ||= to.table.count() < changedPaths.size / 2;
    const add: WantedVector[] = [];
    const remove: string[] = [];
    const inHand: string[] = [];
    for (const path of changedPaths) {
      if (Math.max(add.length, remove.length) >= to.writer.batchSize() || inHand.length >= PATHS_PER_STEP)
        break;
      changedPaths.delete(path);
      inHand.push(path);
      const difference = to.table.difference(path);
      add.push(...difference.add.filter(({ id }) => !refused.isWaiting(id)));
      remove.push(...difference.remove);
      if (difference.move.length) movedPaths.add(path);
      forgetRefused(path, difference.add);
    }
    try {
      // The new before the old: a chunk that changed is never missing altogether.
      await to.writer.add(add, signal);
      await to.writer.remove(remove, signal);
    } catch (error) {
      for (const path of inHand) changedPaths.add(path);
      inDoubt = true;
      throw error;
    }
  }

  /** Of a refused record that nobody wants any more. */
  function forgetRefused(path: string, wanted: readonly WantedVector[]): void {
    for (const id of refused.keys())
      if (splitVectorId(id)?.path === path && !wanted.some((w) => w.id === id)) refused.drop(id);
  }

  async function moveSome(to: Connection, signal: AbortSignal): Promise<void> {
    const moved: WantedVector[] = [];
    const inHand: string[] = [];
    for (const path of movedPaths) {
      if (inHand.length >= PATHS_PER_STEP) break;
      movedPaths.delete(path);
      inHand.push(path);
      moved.push(...to.table.difference(path).move);
    }
    try {
      await to.writer.move(moved, signal);
    } catch (error) {
      for (const path of inHand) movedPaths.add(path);
      throw error;
    }
  }

  /** Everything known is written: is it true, is it all, and is it time for a new collection? */
  async function settle(to: Connection, signal: AbortSignal): Promise<number> {
    const untilCheck = to.checkedAt + pace.checkMs - performance.now();
    const isWhole = allEmbedded() && collections.isComplete() && to.tidy;
    if (untilCheck <= 0 || to.listed || (allEmbedded() && !isWhole)) {
      if (!(await isTrue(to, signal))) return 0;
      // While Chroma was asked, something may have come, or another collection is to be written.
      if (changedPaths.size || movedPaths.size || connection !== to) return 0;
    }
    const rest = Math.min(pace.checkMs, refused.untilDue());
    if (!allEmbedded()) return rest;

    to.filling = false;
    if (!collections.isComplete()) collections.complete();
    if (!to.tidy) {
      await to.store.dropOthers(collections.prefix, signal);
      await to.table.forgetOthers();
      to.tidy = true;
    }
    if (changedPaths.size || connection !== to) return 0;
    const slots = to.table.slots();
    if (slots >= pace.rebuildFromSlots && slots > 2 * to.table.count()) {
      collections.renew();
      connection = undefined;
      return 0;
    }
    settled = true;
    return rest;
  }

  /** @returns whether Chroma holds as many as we know of; if not, the next step connects anew */
  async function isTrue(to: Connection, signal: AbortSignal): Promise<boolean> {
    const known = to.table.count();
    const held = await to.store.count(signal);
    to.checkedAt = performance.now();
    if (held === known) {
      to.listed = false;
      return true;
    }
    inDoubt = true;
    connection = undefined;
    settled = false;
    if (to.listed) throw new UpstreamError("chroma", `holds ${held} vectors after listing ${known}`);
    return false;
  }

  return {
    changed(paths) {
      if (changedPaths.size === 0) changedSince = performance.now();
      for (const path of paths) changedPaths.add(path);
      settled = false;
    },
    reconnect() {
      connection = undefined;
      settled = false;
    },
    step,
    settled: () => settled,
    collection: () => collections.current(),
    stored: () => stored,
    waiting: () => changedPaths.size + movedPaths.size,
    msPerVector: rate.perItem,
    problem() {
      const example = refused.example();
      return example && `Chroma refuses ${refused.keys().length} vectors, e.g. of ${example}`;
    },
  };
}

function liveChunks(db: IndexDb): number {
  const row = db.prepare<[], { n: number }>(
    "SELECT coalesce(sum(blobs.chunks), 0) AS n FROM live JOIN blobs ON blobs.id = live.blob_id",
  );
  return row.get()?.n ?? 0;
}
