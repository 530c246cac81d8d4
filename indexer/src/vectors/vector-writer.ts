/** Writes to one collection, in pieces that leave room for queries, and finds the records that Chroma does not take. */
import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "@dhi/core/upstream-error";
import type { VectorRecord, VectorStore } from "@dhi/core/vector-store";
import type { Rate } from "./rate.ts";
import type { SetAside } from "./set-aside.ts";
import type { Throttle } from "./throttle.ts";
import { metadataOf, type VectorTable, type WantedVector } from "./vector-table.ts";

export interface VectorWriter {
  /** Most records of one write right now. */
  batchSize(): number;
  /** Leaves out what Chroma refuses while it takes everything else. */
  add(wanted: readonly WantedVector[], signal: AbortSignal): Promise<void>;
  remove(ids: readonly string[], signal: AbortSignal): Promise<void>;
  move(wanted: readonly WantedVector[], signal: AbortSignal): Promise<void>;
}

export interface VectorWriterDeps {
  readonly store: VectorStore;
  readonly table: VectorTable;
  /** Gets ids of records that are refused. */
  readonly refused: SetAside;
  readonly throttle: Throttle;
  readonly rate: Rate;
  /** There is more to write than a save brings. */
  readonly isBacklog: () => boolean;
  /** Most of the collection is still missing. */
  readonly isFilling: () => boolean;
  /** Between two small writes, so that a completion's query gets its turn. */
  readonly pauseMs: number;
}

/**
 * A write stalls the reads of its collection. Measured with 5,000 vectors (Chroma 1.0.5, two shared cores), p95 of reads
 * beside adding and deleting: 12 ms in tens, 33 ms in fifties, 120 ms in two-hundreds.
 */
const SMALL_BATCH = 10;
/**
 * For a collection that is being filled and answers little yet. Two to three times as fast as tens; more would hold up
 * this process, as the client spends about 0.3 ms of this thread on a vector (measured, 768 numbers each).
 */
const FILL_BATCH = 100;
/** Metadata stalls no read. */
const MOVE_BATCH = 100;
/** No id of ours: it has no `#`. */
export const PROBE_ID = "dhi-probe";

/** @throws {UpstreamError} from its methods, when Chroma fails or takes nothing at all */
export function createVectorWriter(deps: VectorWriterDeps): VectorWriter {
  const { store, table, refused, throttle, rate, isBacklog, isFilling, pauseMs } = deps;
  let wroteAt = Number.NEGATIVE_INFINITY;

  const isLarge = () => isFilling() && !throttle.isGentle();
  const batchSize = () => (isLarge() ? FILL_BATCH : SMALL_BATCH);

  async function inBatches<T>(
    items: readonly T[],
    size: () => number,
    signal: AbortSignal,
    write: (batch: readonly T[]) => Promise<void>,
  ): Promise<void> {
    for (let i = 0; i < items.length; ) {
      const began = performance.now();
      const pause = isLarge() ? 0 : wroteAt + pauseMs - began;
      if (pause > 0) await sleep(pause, undefined, { signal });
      await throttle.makeRoom(isBacklog, signal);
      const batch = items.slice(i, i + size());
      await write(batch);
      i += batch.length;
      wroteAt = performance.now();
      rate.note(batch.length, wroteAt - began);
    }
  }

  async function addBatch(wanted: readonly WantedVector[], signal: AbortSignal): Promise<void> {
    const sent: WantedVector[] = [];
    const records = wanted.flatMap((w) => {
      const record = table.record(w);
      if (record) sent.push(w);
      return record ?? [];
    });
    await send(records, signal);
    table.added(sent.filter(({ id }) => !refused.isWaiting(id)));
  }

  async function send(records: readonly VectorRecord[], signal: AbortSignal): Promise<void> {
    const [first, ...more] = records;
    if (!first) return;
    const refusal = await refusalOf(first, records, signal);
    if (refusal === undefined) {
      for (const { id } of records) refused.drop(id);
    } else if (more.length === 0) {
      refused.put(first.id, `${first.metadata.file_path}: ${describeError(refusal)}`);
    } else {
      const half = Math.ceil(records.length / 2);
      await send(records.slice(0, half), signal);
      await send(records.slice(half), signal);
    }
  }

  /**
   * @returns why Chroma refuses the records, though it takes others; `undefined` when it took them
   * @throws {UpstreamError} when it takes none at all
   */
  async function refusalOf(
    first: VectorRecord,
    records: readonly VectorRecord[],
    signal: AbortSignal,
  ): Promise<unknown> {
    const attempt = () =>
      store.add(records, signal).then(
        () => undefined,
        (error: unknown) => {
          if (signal.aborted) throw error;
          return error;
        },
      );
    if ((await attempt()) === undefined) return undefined;
    await probe(first.embedding.length, signal);
    // What failed may have passed.
    return attempt();
  }

  async function probe(length: number, signal: AbortSignal): Promise<void> {
    const metadata = metadataOf({ path: "-", startLine: 1, endLine: 1, language: "-", kind: "-" });
    const embedding = Array.from({ length }, (_, i) => (i === 0 ? 1 : 0));
    await store.add([{ id: PROBE_ID, embedding, document: "probe", metadata }], signal);
    await store.delete([PROBE_ID], signal);
  }

  return {
    batchSize,
    add: (wanted, signal) => inBatches(wanted, batchSize, signal, (batch) => addBatch(batch, signal)),
    remove: (ids, signal) =>
      inBatches(ids, batchSize, signal, async (batch) => {
        await store.delete(batch, signal);
        table.removed(batch);
      }),
    move: (wanted, signal) =>
      inBatches(
        wanted,
        () => MOVE_BATCH,
        signal,
        async (batch) => {
          await store.updateMetadata(
            batch.map((w) => ({ id: w.id, metadata: metadataOf(w) })),
            signal,
          );
          table.moved(batch);
        },
      ),
  };
}
