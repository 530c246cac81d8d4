/**
 * Keeps `index.db` from growing for ever: contents of trees that are gone, and vectors of embedders that are, make room a
 * little at a time, while nothing else is to be done. What git took away stays longer than what saves left behind: git
 * brings it back, and then it must cost nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { IndexDb } from "@dhi/core/index-db";
import {
  type DeadBlob,
  readBlobs,
  removeBlob,
  removeOtherEmbeddings,
  removeTextsOfNoChunk,
} from "./dead-blobs.ts";

export interface Pruner {
  /** Settles when there is nothing to remove, as of now. Costs next to nothing while little has changed. */
  prune(signal: AbortSignal): Promise<void>;
}

export interface PrunerDeps {
  readonly db: IndexDb;
  /** A sync may be about to use what is dead; and others go first. */
  readonly isBusy: () => boolean;
  /** The one whose vectors stay; `undefined` while several are needed. */
  readonly embedder: () => string | undefined;
  readonly limits?: PruneLimits;
}

export interface PruneLimits {
  /** Dead contents that only saves made may have this share of the bytes of those that are live… */
  readonly savedShare: number;
  /** …and those that git laid down or took away this share, the newest of them. */
  readonly movedShare: number;
  /** Besides, what its last move took stays altogether for this long: a branch of few files is often left again. */
  readonly keepMoveSeconds: number;
  /** Either may have this much in any case. */
  readonly deadBytes: number;
  /** Contents used so lately may be about to become live. */
  readonly keepSeconds: number;
  /** Fewer new contents than this are not worth a look through all. */
  readonly fewBlobs: number;
}

export const usualLimits: PruneLimits = {
  savedShare: 0.3,
  movedShare: 1,
  keepMoveSeconds: 3_600,
  deadBytes: 262_144,
  keepSeconds: 5,
  fewBlobs: 20,
};
/** Down to this share of the limit, so that not every save removes something. */
const LOW_WATER = 0.7;
/** Nor are fewer than this share of all. */
const FEW_SHARE = 0.05;
/** Rows or so that one step handles: about 5 ms. */
const LOOK = 1_000;
const REMOVE = 10;
const PAGES = 128;
/** Free pages that stay for the next save: of an index of a few hundred files, more would be a good part. */
const SPARE_PAGES = 16;
/** Between two steps, for whoever else needs this process. */
const REST_MS = 10;
const BUSY_MS = 250;

export function createPruner({ db, isBusy, embedder, limits = usualLimits }: PrunerDeps): Pruner {
  /** As of the last time that there was nothing more to remove. */
  let seenChanges: number | undefined;
  let seenBlobs = { last: 0, count: 0 };
  let swept = false;
  let onlyEmbedder: string | undefined;
  /** Unix seconds, when what the last move took is too much. */
  let moveEndsAt = Number.POSITIVE_INFINITY;

  const totalChanges = db.prepare<[], { n: number }>("SELECT total_changes() AS n");
  const changes = () => totalChanges.get()?.n ?? 0;

  /** Waits for its turn, then does one piece of work in one transaction. */
  async function turn<T>(signal: AbortSignal, work: () => T): Promise<T> {
    await sleep(REST_MS, undefined, { signal });
    while (isBusy()) await sleep(BUSY_MS, undefined, { signal });
    return db.transaction(work)();
  }

  async function prune(signal: AbortSignal): Promise<void> {
    const isMoveOver = now() >= moveEndsAt;
    if (seenChanges === changes() && !isMoveOver) return;
    const before = changes();
    const last = lastBlob();
    if (!swept) await sweepTexts(signal);
    swept = true;
    const only = embedder();
    if (only !== undefined && only !== onlyEmbedder) {
      await eachPage(signal, (after) => removeOtherEmbeddings(db, only, after, LOOK));
      onlyEmbedder = only;
    }
    // The index grows by new contents alone.
    if (isMoveOver || last - seenBlobs.last >= Math.max(limits.fewBlobs, FEW_SHARE * seenBlobs.count))
      seenBlobs = { last, count: await removeDead(signal) };
    if (changes() !== before) await giveBack(signal);
    await truncateLog(signal);
    seenChanges = changes();
  }

  const lastBlob = () =>
    db.prepare<[], { id: number | null }>("SELECT max(id) AS id FROM blobs").get()?.id ?? 0;

  const sweepTexts = (signal: AbortSignal) =>
    eachPage(signal, (after) => removeTextsOfNoChunk(db, after, LOOK));

  async function eachPage(signal: AbortSignal, work: (after: number) => number | undefined): Promise<void> {
    for (let at: number | undefined = 0; at !== undefined; ) {
      const after: number = at;
      at = await turn(signal, () => work(after));
    }
  }

  /** @returns how many contents there were */
  async function removeDead(signal: AbortSignal): Promise<number> {
    const dead: DeadBlob[] = [];
    let liveBytes = 0;
    let lastMove = 0;
    let count = 0;
    await eachPage(signal, (after) => {
      const page = readBlobs(db, after, LOOK);
      dead.push(...page.dead);
      liveBytes += page.liveBytes;
      lastMove = Math.max(lastMove, page.movedAt);
      count += page.count;
      return page.last;
    });
    const { savedShare, movedShare, deadBytes, keepMoveSeconds } = limits;
    const saved = dead.filter(({ movedAt }) => movedAt === 0);
    const moved = dead.filter(({ movedAt }) => movedAt > 0);
    const mostMoved = Math.max(deadBytes, movedShare * liveBytes);
    const lastMoveEndsAt = lastMove + keepMoveSeconds;
    const isOver = now() >= lastMoveEndsAt;
    await removeOldest(saved, Math.max(deadBytes, savedShare * liveBytes), signal);
    await removeOldest(isOver ? moved : moved.filter((blob) => blob.movedAt < lastMove), mostMoved, signal);
    moveEndsAt = !isOver && bytesOf(moved) > mostMoved ? lastMoveEndsAt : Number.POSITIVE_INFINITY;
    return count;
  }

  /** @param most bytes that may stay */
  async function removeOldest(dead: readonly DeadBlob[], most: number, signal: AbortSignal): Promise<void> {
    let bytes = bytesOf(dead);
    if (bytes <= most) return;
    const keepFrom = now() - limits.keepSeconds;
    const oldest = dead
      .filter(({ usedAt }) => usedAt <= keepFrom)
      .sort((a, b) => a.usedAt - b.usedAt || a.id - b.id)
      [Symbol.iterator]();
    for (let done = false; !done; ) {
      const some: DeadBlob[] = [];
      while (some.length < REMOVE && bytes > LOW_WATER * most) {
        const next = oldest.next();
        if (next.done) break;
        some.push(next.value);
        bytes -= next.value.bytes;
      }
      done = some.length < REMOVE;
      await turn(signal, () => {
        for (const { id } of some) removeBlob(db, id);
      });
    }
  }

  /** Merges what FTS5 has marked as deleted, then returns free pages to the disk. */
  async function giveBack(signal: AbortSignal): Promise<void> {
    const merge = db.prepare<[number], never>("INSERT INTO terms (terms, rank) VALUES ('merge', ?)");
    // By its documentation: fewer than two changes mean that there was nothing to merge.
    for (let before = changes(); ; before = changes()) {
      await turn(signal, () => merge.run(PAGES));
      if (changes() - before < 2) break;
    }
    while (Number(db.pragma("freelist_count", { simple: true })) > SPARE_PAGES)
      await turn(signal, () => db.pragma(`incremental_vacuum(${PAGES})`));
  }

  async function truncateLog(signal: AbortSignal): Promise<void> {
    await sleep(REST_MS, undefined, { signal });
    if (isBusy()) return;
    // A reader in the middle of a query keeps the log; waiting for it would stop this process.
    db.pragma("busy_timeout = 0");
    try {
      db.pragma("wal_checkpoint(TRUNCATE)");
    } finally {
      db.pragma("busy_timeout = 5000");
    }
  }

  return { prune };
}

const now = (): number => Date.now() / 1000;

function bytesOf(blobs: readonly DeadBlob[]): number {
  let bytes = 0;
  for (const blob of blobs) bytes += blob.bytes;
  return bytes;
}
