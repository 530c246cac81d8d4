/** Texts of the work tree that have no vector yet, and making one for each. */
import type { Embedder } from "@dhi/core/embedder";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { describeError } from "@dhi/core/upstream-error";
import { embeddedText } from "./embedded-text.ts";
import { toBlob } from "./vector-blob.ts";

export interface EmbeddingQueue {
  /** Notes a path whose content may be another one. */
  changed(path: string): void;
  /**
   * Looks through some paths, or embeds one batch.
   *
   * @returns milliseconds until there is more to do
   * @throws {UpstreamError} when the embedder takes no text at all
   */
  step(signal: AbortSignal): Promise<number>;
  /** Nothing to do; texts that failed wait for another try. */
  idle(): boolean;
  /** Texts without a vector, as far as has been looked. */
  pending(): number;
  /** Texts embedded since the start. */
  embedded(): number;
  /** What is wrong with texts that were set aside. */
  problem(): string | undefined;
}

export interface EmbeddingQueueDeps {
  readonly db: IndexDb;
  readonly embedder: Embedder;
  /** Gets the paths that hold a text which now has its vector. */
  readonly onEmbedded: (paths: readonly string[]) => void;
  /** Awaited before each batch. */
  readonly letSyncGoFirst: (signal: AbortSignal) => Promise<void>;
  /** A text that fails alone is tried again after this, then after twice as long, up to an hour. */
  readonly failedTextMs: number;
}

interface PendingText extends ChunkRow {
  readonly hash: string;
}
interface ChunkRow {
  readonly path: string;
  readonly container: string | null;
  readonly signature: string | null;
  readonly text: string;
}
interface Failure {
  readonly tries: number;
  readonly retryAt: number;
  readonly words: string;
}

/** Looked through between two turns of the event loop; a path costs some 50 µs. */
const PATHS_PER_STEP = 100;
const FAILED_TEXT_MOST_MS = 3_600_000;
/** Any embedder takes it, so one that does not is down. */
const PROBE = "probe";

/** Starts by looking through every file. */
export function createEmbeddingQueue(deps: EmbeddingQueueDeps): EmbeddingQueue {
  const { db, embedder, onEmbedded, letSyncGoFirst, failedTextMs } = deps;
  const paths = new Set<string>();
  const missing = new Set<string>();
  const failed = new Map<string, Failure>();
  /** The last path of the first look-through; `undefined` when that is done. */
  let cursor: string | undefined = "";
  let embedded = 0;

  async function step(signal: AbortSignal): Promise<number> {
    if (look()) return 0;
    retryFailed();
    if (missing.size) await letSyncGoFirst(signal);
    const batch = nextBatch();
    if (batch.length === 0) return untilRetry();
    await embedAll(batch, signal);
    return 0;
  }

  /** @returns whether there was anything to look at */
  function look(): boolean {
    const found = cursor === undefined ? [] : livePaths(db, cursor, PATHS_PER_STEP);
    if (cursor !== undefined) cursor = found.at(-1);
    for (const path of paths) {
      if (found.length >= PATHS_PER_STEP) break;
      paths.delete(path);
      found.push(path);
    }
    for (const path of found) {
      for (const hash of textsWithoutVector(db, path, embedder.id)) if (!failed.has(hash)) missing.add(hash);
    }
    return found.length > 0;
  }

  function nextBatch(): PendingText[] {
    const batch: PendingText[] = [];
    for (const hash of missing) {
      const row = liveChunk(db, hash);
      if (row && /\S/.test(row.text)) {
        batch.push({ hash, ...row });
      } else {
        // Gone from the work tree meanwhile, or nothing to embed.
        missing.delete(hash);
        failed.delete(hash);
      }
      if (batch.length >= embedder.batchSize) break;
    }
    return batch;
  }

  async function embedAll(batch: readonly PendingText[], signal: AbortSignal): Promise<void> {
    try {
      save(batch, await embedder.embedDocuments(batch.map(embeddedText), signal));
    } catch (error) {
      if (signal.aborted) throw error;
      // One bad text, or an embedder that is down? Throws when it is down.
      await embedder.embedDocuments([PROBE], signal);
      const [first, ...more] = batch;
      if (first && more.length === 0) return setAside(first, error);
      const half = Math.ceil(batch.length / 2);
      await embedAll(batch.slice(0, half), signal);
      await embedAll(batch.slice(half), signal);
    }
  }

  const insert = db.transaction((batch: readonly PendingText[], vectors: readonly number[][]) => {
    batch.forEach(({ hash }, i) => {
      prepared<[string, Buffer, string], never>(
        db,
        "INSERT OR REPLACE INTO embeddings SELECT id, ?, ? FROM texts WHERE text_hash = ?",
      ).run(embedder.id, toBlob(vectors[i] ?? []), hash);
    });
  });

  function save(batch: readonly PendingText[], vectors: readonly number[][]): void {
    insert(batch, vectors);
    embedded += batch.length;
    for (const { hash } of batch) {
      missing.delete(hash);
      failed.delete(hash);
    }
    onEmbedded([...new Set(batch.flatMap(({ hash }) => pathsWith(db, hash)))]);
  }

  function setAside({ hash, path }: PendingText, error: unknown): void {
    const tries = (failed.get(hash)?.tries ?? 0) + 1;
    const wait = Math.min(FAILED_TEXT_MOST_MS, failedTextMs * 2 ** (tries - 1));
    missing.delete(hash);
    failed.set(hash, { tries, retryAt: performance.now() + wait, words: `${path}: ${describeError(error)}` });
  }

  function retryFailed(): void {
    const now = performance.now();
    for (const [hash, { retryAt }] of failed) if (retryAt <= now) missing.add(hash);
  }

  function untilRetry(): number {
    const now = performance.now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const { retryAt } of failed.values()) soonest = Math.min(soonest, Math.max(1, retryAt - now));
    return soonest;
  }

  return {
    changed: (path) => paths.add(path),
    step,
    idle: () => cursor === undefined && paths.size === 0 && missing.size === 0,
    pending: () => new Set([...missing, ...failed.keys()]).size,
    embedded: () => embedded,
    problem() {
      const [one] = failed.values();
      return one && `${failed.size} texts could not be embedded, e.g. ${one.words}`;
    },
  };
}

function livePaths(db: IndexDb, after: string, limit: number): string[] {
  return prepared<[string, number], { path: string }>(
    db,
    "SELECT path FROM live WHERE path > ? ORDER BY path LIMIT ?",
  )
    .all(after, limit)
    .map((row) => row.path);
}

function textsWithoutVector(db: IndexDb, path: string, embedder: string): string[] {
  return prepared<[string, string], { hash: string }>(
    db,
    `SELECT t.text_hash AS hash FROM live JOIN chunks c USING (blob_id) JOIN texts t ON t.id = c.text_id
     WHERE live.path = ?
       AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.text_id = c.text_id AND e.embedder = ?)`,
  )
    .all(path, embedder)
    .map((row) => row.hash);
}

/** The chunk that stands for its text: the first path, so that a vector does not depend on what came first. */
function liveChunk(db: IndexDb, hash: string): ChunkRow | undefined {
  return prepared<[string], ChunkRow>(
    db,
    `SELECT live.path, c.container, c.signature, t.text
     FROM texts t JOIN chunks c ON c.text_id = t.id JOIN live USING (blob_id)
     WHERE t.text_hash = ? ORDER BY live.path, c.ordinal LIMIT 1`,
  ).get(hash);
}

function pathsWith(db: IndexDb, hash: string): string[] {
  return prepared<[string], { path: string }>(
    db,
    `SELECT DISTINCT live.path FROM texts t JOIN chunks c ON c.text_id = t.id JOIN live USING (blob_id)
     WHERE t.text_hash = ?`,
  )
    .all(hash)
    .map((row) => row.path);
}
