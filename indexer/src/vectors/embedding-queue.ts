/** Texts of the work tree that have no vector yet, and making one for each. */
import type { Embedder } from "@dhi/core/embedder";
import type { IndexDb } from "@dhi/core/index-db";
import { describeError } from "@dhi/core/upstream-error";
import { toBlob } from "@dhi/core/vector-blob";
import type { AnalysedChunk } from "../analysis.ts";
import type { TextVectors } from "../write-analysis.ts";
import { embeddedText, isEmbedded } from "./embedded-text.ts";
import type { EmbeddingKey } from "./embedding-key.ts";
import {
  hasVector,
  type LiveText,
  livePaths,
  liveText,
  pathsWith,
  putVector,
  takeTwinsVector,
  textsWithoutVector,
} from "./missing-texts.ts";
import { createRate } from "./rate.ts";
import { createSetAside } from "./set-aside.ts";
import type { Throttle } from "./throttle.ts";

export interface EmbeddingQueue {
  /** Notes a path whose content may be another one. It is handed on once its texts have their vectors. */
  changed(path: string): void;
  /**
   * Looks through some paths, or embeds some batches.
   *
   * @returns milliseconds until there is more to do
   * @throws {UpstreamError} when the embedder takes no text at all
   * @throws what SQLite throws; vectors made meanwhile are kept and written by the next step
   */
  step(signal: AbortSignal): Promise<number>;
  /**
   * Vectors of those chunks about to be stored whose text has none, for whoever stores them together. A chunk that brings
   * one along keeps it.
   *
   * @returns `undefined` from an embedder that is not instant: they come later
   */
  embedNow(path: string, chunks: readonly AnalysedChunk[]): Promise<TextVectors | undefined>;
  /** Hands on the paths that wait for vectors: what they lost need not wait. */
  release(): void;
  /** Nothing to do; texts that failed wait for another try. */
  idle(): boolean;
  /** Texts without a vector, as far as has been looked. */
  pending(): number;
  /** Texts embedded since the start. */
  embedded(): number;
  /** Milliseconds that a text takes; `undefined` before the first. */
  msPerText(): number | undefined;
  /** What is wrong with texts that were set aside. */
  problem(): string | undefined;
}

export interface EmbeddingQueueDeps {
  readonly db: IndexDb;
  readonly embedder: Embedder;
  readonly key: EmbeddingKey;
  /** Gets paths of which more texts have their vectors than before. */
  readonly onReady: (paths: readonly string[]) => void;
  /** The embedder's vectors have another length than those in the collection that is written. */
  readonly onOtherLength: () => void;
  readonly throttle: Throttle;
  /** A text that fails alone is tried again after this, then after twice as long, up to an hour. */
  readonly failedTextMs: number;
}

interface Embedded {
  readonly texts: readonly LiveText[];
  readonly vectors: readonly number[][];
}

/** Looked through between two turns of the event loop; a path costs some 50 µs. */
const PATHS_PER_STEP = 100;
/** As many as one save brings. */
const SAVE_TEXTS = 16;
/** Beside completions: on a CPU, a query for the prompt waits for as many texts as this. */
const GENTLE_BATCH = 4;
/**
 * A query waits for the batch before it. Ollama embeds the texts of a batch one by one, so that on a CPU larger ones are
 * no faster (all-minilm, one core: 284 ms a text in sixteens and in thirty-twos, 548 alone).
 */
const ROUND_MS = 2_000;
/** Any embedder takes it, so one that does not is down. */
const PROBE = "probe";
/** Who waits for nobody need not be stopped. */
const NEVER = new AbortController().signal;

/** Starts by looking through every file. */
export function createEmbeddingQueue(deps: EmbeddingQueueDeps): EmbeddingQueue {
  const { db, embedder, key, onReady, onOtherLength, throttle, failedTextMs } = deps;
  const changedPaths = new Set<string>();
  /** Of changed paths: what somebody just saved goes before what has been missing for long. */
  const urgent = new Set<string>();
  const missing = new Set<string>();
  const failed = createSetAside(failedTextMs);
  /** Changed paths that were not handed on yet. */
  const held = new Set<string>();
  /** Made, and not written: the disk was full. */
  const unsaved: Embedded[] = [];
  const rate = createRate();
  /** The last path of the first look-through; `undefined` when that is done. */
  let cursor: string | undefined = "";
  let embedded = 0;

  async function step(signal: AbortSignal): Promise<number> {
    for (let made = unsaved[0]; made; made = unsaved[0]) {
      save(made);
      unsaved.shift();
    }
    if (look()) return 0;
    for (const hash of failed.due()) missing.add(hash);
    if (urgent.size + missing.size === 0) return failed.untilDue();
    await throttle.makeRoom(isBacklog, signal);
    if (changedPaths.size) return 0;
    await embedRound(nextBatches(), signal);
    return 0;
  }

  function isBacklog(): boolean {
    const isSave = changedPaths.size > 0 || (urgent.size > 0 && urgent.size <= SAVE_TEXTS);
    return !isSave && urgent.size + missing.size > SAVE_TEXTS;
  }

  /** @returns whether there was anything to look at */
  function look(): boolean {
    let looked = 0;
    const ready: string[] = [];
    for (const path of changedPaths) {
      if (looked++ >= PATHS_PER_STEP) break;
      changedPaths.delete(path);
      if (note(path, urgent)) held.add(path);
      else ready.push(path);
    }
    if (cursor !== undefined && looked < PATHS_PER_STEP) {
      const found = livePaths(db, cursor, PATHS_PER_STEP - looked);
      cursor = found.at(-1);
      looked += found.length;
      // Not handed on: who needs to know of every path looks through all of them by itself.
      for (const path of found) note(path, missing);
    }
    handOn(ready);
    return looked > 0;
  }

  /** @returns whether a text of the path has to be embedded first */
  function note(path: string, to: Set<string>): boolean {
    const hashes = textsWithoutVector(db, path, key.current()).filter((hash) => !failed.isWaiting(hash));
    for (const hash of hashes) {
      if (to === urgent) missing.delete(hash);
      if (!urgent.has(hash)) to.add(hash);
    }
    return hashes.length > 0;
  }

  function handOn(paths: readonly string[]): void {
    for (const path of paths) held.delete(path);
    if (paths.length) onReady(paths);
  }

  function forget(hash: string): void {
    urgent.delete(hash);
    missing.delete(hash);
  }

  function nextBatches(): LiveText[][] {
    const { size, parallel } = batchShape();
    const batches: LiveText[][] = [];
    let batch: LiveText[] = [];
    for (const hash of first(urgent.size ? urgent : missing, size * parallel)) {
      const text = liveText(db, hash);
      if (text && isEmbedded(text.text) && !takeTwinsVector(db, text, key.current())) {
        batch.push(text);
      } else {
        // Gone from the work tree meanwhile, nothing to embed, or embedded already but for blank lines.
        forget(hash);
        failed.drop(hash);
        handOn(pathsWith(db, hash));
      }
      if (batch.length === size) {
        batches.push(batch);
        batch = [];
      }
    }
    return batch.length ? [...batches, batch] : batches;
  }

  function batchShape(): { readonly size: number; readonly parallel: number } {
    const most = embedder.batchSize;
    if (throttle.isGentle()) return { size: Math.min(GENTLE_BATCH, most), parallel: 1 };
    const inTime = ROUND_MS / (rate.perItem() ?? 0);
    const size = Math.max(1, Math.min(most, Math.max(GENTLE_BATCH, Math.floor(inTime))));
    return { size, parallel: size === most ? (embedder.parallel ?? 1) : 1 };
  }

  async function embedRound(batches: readonly LiveText[][], signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const before = embedded;
    const outcomes = await Promise.allSettled(batches.map((batch) => embedAll(batch, signal)));
    rate.note(embedded - before, performance.now() - began);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  }

  async function embedAll(batch: readonly LiveText[], signal: AbortSignal): Promise<void> {
    let vectors: number[][];
    try {
      vectors = await embedder.embedDocuments(batch.map(embeddedText), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // One bad text, or an embedder that is down? Throws when it is down.
      await embedder.embedDocuments([PROBE], signal);
      const [only, ...more] = batch;
      if (only && more.length === 0) return setAside(only, error);
      const half = Math.ceil(batch.length / 2);
      await embedAll(batch.slice(0, half), signal);
      return embedAll(batch.slice(half), signal);
    }
    saveOrKeep({ texts: batch, vectors });
  }

  const insert = db.transaction(({ texts, vectors }: Embedded) => {
    texts.forEach(({ hash }, i) => {
      putVector(db, hash, key.current(), toBlob(vectors[i] ?? []));
    });
  });

  function saveOrKeep(made: Embedded): void {
    try {
      save(made);
    } catch (error) {
      unsaved.push(made);
      throw error;
    }
  }

  async function embedNow(path: string, chunks: readonly AnalysedChunk[]): Promise<TextVectors | undefined> {
    if (!embedder.isInstant) return undefined;
    const byHash = new Map(chunks.filter(({ text }) => isEmbedded(text)).map((c) => [c.textHash, c]));
    for (const hash of byHash.keys()) if (hasVector(db, hash, key.current())) byHash.delete(hash);
    const blobs = new Map<string, Uint8Array>();
    const toMake: AnalysedChunk[] = [];
    for (const chunk of byHash.values())
      if (chunk.vector) blobs.set(chunk.textHash, chunk.vector);
      else toMake.push(chunk);
    const texts = toMake.map((chunk) => embeddedText({ ...chunk, path }));
    const vectors = texts.length ? await embedder.embedDocuments(texts, NEVER) : [];
    noteLength(vectors);
    toMake.forEach(({ textHash }, i) => {
      blobs.set(textHash, toBlob(vectors[i] ?? []));
    });
    embedded += blobs.size;
    return { embedder: key.current(), byHash: blobs };
  }

  function noteLength([vector]: readonly number[][]): void {
    if (!vector || !key.learn(vector)) return;
    cursor = "";
    onOtherLength();
  }

  function save(made: Embedded): void {
    noteLength(made.vectors);
    insert(made);
    embedded += made.texts.length;
    for (const { hash } of made.texts) {
      forget(hash);
      failed.drop(hash);
    }
    handOn([...new Set(made.texts.flatMap(({ hash }) => pathsWith(db, hash)))]);
  }

  function setAside({ hash, path }: LiveText, error: unknown): void {
    forget(hash);
    failed.put(hash, `${path}: ${describeError(error)}`);
    handOn(pathsWith(db, hash));
  }

  return {
    changed: (path) => changedPaths.add(path),
    step,
    embedNow,
    release: () => handOn([...held]),
    idle: () => cursor === undefined && changedPaths.size + urgent.size + missing.size + unsaved.length === 0,
    pending: () =>
      urgent.size +
      missing.size +
      failed.keys().filter((hash) => !urgent.has(hash) && !missing.has(hash)).length,
    embedded: () => embedded,
    msPerText: rate.perItem,
    problem() {
      const example = failed.example();
      return example && `${failed.keys().length} texts could not be embedded, e.g. ${example}`;
    },
  };
}

function first(hashes: ReadonlySet<string>, n: number): string[] {
  const found: string[] = [];
  for (const hash of hashes) {
    if (found.length >= n) break;
    found.push(hash);
  }
  return found;
}
