/**
 * Vectors of what changed last, compared one by one. Chroma gets a vector over half a second after `index.db` has it, after
 * a branch switch tens of seconds later, and while its collection is built anew not at all.
 */
import { type IndexDb, prepared, vectorId } from "@dhi/core/index-db";
import { fromBlob, vectorLength } from "@dhi/core/vector-blob";
import type { VectorHit } from "@dhi/core/vector-store";
import { dataVersion, newestChanges } from "../index-changes.ts";

export interface VectorOverlay {
  /**
   * Takes in what was committed since the last call, the newest first and a little at a time: some milliseconds at most.
   * To be called before Chroma is asked, since what Chroma holds by now is left to it.
   *
   * @param dimensions of the embedder's vectors now
   */
  refresh(db: IndexDb, embedderId: string, dimensions: number): void;
  /** @returns nearest first, at most `limit`; they may have left the tree since */
  nearest(query: readonly number[], limit: number): VectorHit[];
}

export interface OverlayLimits {
  /** Held at a time; the oldest go first. 2,000 of 768 numbers are 6 MB, and comparing with all of them takes some 2 ms. */
  readonly vectors: number;
  /** Looked at in one refresh, some 50 µs each. */
  readonly looks: number;
  /** Taken in by one refresh, some 20 µs each, and by the path that goes past it. */
  readonly taken: number;
  /** Older ones that wait for a look are left to Chroma. */
  readonly paths: number;
}

const usualLimits: OverlayLimits = { vectors: 2_000, looks: 64, taken: 150, paths: 1_000 };

/** A path's chunks that Chroma did not hold when they were looked at. It may hold them by now: asking twice does no harm. */
interface HeldPath {
  readonly hashes: readonly string[];
  /** Unit vectors, one behind the other. */
  readonly vectors: Float32Array;
}

export function createVectorOverlay(limits: OverlayLimits = usualLimits): VectorOverlay {
  let source: { db: IndexDb; embedderId: string; dimensions: number } | undefined;
  let seenVersion: unknown;
  let seenChange = 0;
  /** Paths to look at, the newest first. */
  let waiting: readonly string[] = [];
  /** Paths of which a chunk had no vector yet. */
  const unembedded = new Set<string>();
  /** The newest last. */
  const held = new Map<string, HeldPath>();
  let size = 0;

  function drop(path: string): void {
    size -= held.get(path)?.hashes.length ?? 0;
    held.delete(path);
  }

  function dropAll(): void {
    held.clear();
    size = 0;
  }

  function startAnew(): void {
    seenVersion = undefined;
    seenChange = 0;
    waiting = [];
    unembedded.clear();
    dropAll();
  }

  /** What is held of a path that changed would take the place of what is still there. */
  function noteChanges(db: IndexDb): void {
    const { last, paths, areAll } = newestChanges(db, seenChange, limits.paths);
    seenChange = last;
    if (areAll) paths.forEach(drop);
    else dropAll();
    waiting = [...new Set([...paths, ...waiting])].slice(0, limits.paths);
  }

  function look(db: IndexDb, path: string, embedderId: string, dimensions: number): HeldPath | undefined {
    drop(path);
    unembedded.delete(path);
    const rows = vectorsToCome(db, path, embedderId, dimensions).slice(0, limits.vectors);
    const ready = rows.flatMap(({ hash, vector }) => (vector ? [{ hash, unit: unitVector(vector) }] : []));
    if (ready.length < rows.length) unembedded.add(path);
    if (ready.length === 0) return undefined;
    const vectors = new Float32Array(ready.length * dimensions);
    ready.forEach(({ unit }, i) => {
      vectors.set(unit, i * dimensions);
    });
    return { hashes: ready.map(({ hash }) => hash), vectors };
  }

  function hold(path: string, found: HeldPath): void {
    drop(path);
    held.set(path, found);
    size += found.hashes.length;
    for (const oldest of held.keys()) {
      if (size <= limits.vectors) break;
      drop(oldest);
    }
  }

  return {
    refresh(db, embedderId, dimensions) {
      if (source?.db !== db || source.embedderId !== embedderId || source.dimensions !== dimensions) {
        startAnew();
        source = { db, embedderId, dimensions };
      }
      const version = dataVersion(db);
      const isNews = version !== seenVersion;
      seenVersion = version;
      if (isNews) noteChanges(db);
      const found: [path: string, held: HeldPath][] = [];
      let looked = 0;
      let taken = 0;
      for (const path of [...waiting, ...(isNews ? unembedded : [])].slice(0, limits.looks)) {
        if (taken >= limits.taken) break;
        looked++;
        const one = look(db, path, embedderId, dimensions);
        if (!one) continue;
        found.push([path, one]);
        taken += one.hashes.length;
      }
      waiting = waiting.slice(looked);
      // The newest comes last, so that it stays longest.
      for (const [path, one] of found.reverse()) hold(path, one);
      for (const path of unembedded) {
        if (unembedded.size <= limits.paths) break;
        unembedded.delete(path);
      }
    },

    nearest(query, limit) {
      const unit = unitVector(query);
      const best = new Map<string, VectorHit>();
      for (const [path, { hashes, vectors }] of held) {
        hashes.forEach((textHash, i) => {
          const distance = 1 - dot(unit, vectors, i * unit.length);
          best.set(vectorId(path, textHash), { path, textHash, distance });
        });
      }
      return [...best.values()].sort((a, b) => a.distance - b.distance).slice(0, limit);
    },
  };
}

interface ComingVector {
  readonly hash: string;
  /** `null` until it is embedded. */
  readonly vector: Buffer | null;
}

/** Of the path's chunks, each text once, except for those that every collection holds: which of two is asked, a rebuild decides. */
function vectorsToCome(db: IndexDb, path: string, embedderId: string, dimensions: number): ComingVector[] {
  const byHash = new Map<string, ComingVector>();
  const rows = prepared<[Record<string, string>], ComingVector>(
    db,
    `SELECT t.text_hash AS hash, e.vector FROM live CROSS JOIN chunks c ON c.blob_id = live.blob_id
       CROSS JOIN texts t ON t.id = c.text_id
       LEFT JOIN embeddings e ON e.text_id = c.text_id AND e.embedder IN (:embedder, :lengthened)
     WHERE live.path = :path
       AND (SELECT count(*) FROM collections k CROSS JOIN vectors v ON v.collection = k.id
              AND v.id = :path || '#' || t.text_hash) < max(1, (SELECT count(*) FROM collections))
       -- Blank lines alone are never embedded.
       AND (e.vector IS NOT NULL OR trim(t.text, ' ' || char(9, 10, 11, 12, 13)) <> '')`,
  ).all({
    path,
    embedder: embedderId,
    // As the indexer calls vectors of a model that was replaced under its old name.
    lengthened: `${embedderId}@${dimensions}`,
  });
  for (const { hash, vector } of rows) {
    if (vector && vectorLength(vector) === dimensions) byHash.set(hash, { hash, vector });
    else if (!byHash.has(hash)) byHash.set(hash, { hash, vector: null });
  }
  return [...byHash.values()];
}

/** All zeros has no direction and stays what it is: as far from everything. */
function unitVector(vector: Buffer | readonly number[]): readonly number[] {
  const numbers = Buffer.isBuffer(vector) ? fromBlob(vector) : vector;
  let squares = 0;
  for (const x of numbers) squares += x * x;
  const norm = Math.sqrt(squares) || 1;
  return numbers.map((x) => x / norm);
}

function dot(a: readonly number[], b: Float32Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[from + i] ?? 0);
  return sum;
}
