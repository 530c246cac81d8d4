/** What Chroma has acknowledged, as `index.db` remembers it, and what it should hold instead. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type IndexDb, prepared, vectorId } from "@dhi/core/index-db";
import { fromBlob } from "@dhi/core/vector-blob";
import { splitVectorId, type VectorRecord } from "@dhi/core/vector-store";

interface Place {
  readonly id: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A chunk that Chroma should hold. */
export interface WantedVector extends Place {
  readonly path: string;
  readonly hash: string;
  readonly language: string;
  readonly kind: string;
}

export interface PathDifference {
  readonly add: readonly WantedVector[];
  /** There, with other lines. */
  readonly move: readonly WantedVector[];
  /** Ids that no chunk of the path has any more. */
  readonly remove: readonly string[];
}

/** Between what is remembered and what is there: ids. */
export interface ListDifference {
  /** Not there. */
  readonly missing: readonly string[];
  /** There, and not remembered. */
  readonly unknown: readonly string[];
}

/** Everything that is remembered of one collection; its id is Chroma's own. */
export interface VectorTable {
  count(): number;
  /** Vectors ever added. */
  slots(): number;
  /** Compares one path with the work tree. A chunk that has no embedding yet is not wanted yet. */
  difference(path: string): PathDifference;
  /** What to send for a chunk; `undefined` when its text or embedding is gone meanwhile. */
  record(wanted: WantedVector): VectorRecord | undefined;
  added(wanted: readonly WantedVector[]): void;
  moved(wanted: readonly WantedVector[]): void;
  removed(ids: readonly string[]): void;
  /** @param ids that Chroma really holds */
  compareWith(ids: readonly string[]): Promise<ListDifference>;
  /** Makes it what is remembered. Lines of vectors not known before are unknown, so they are sent again. */
  takeOver(difference: ListDifference): Promise<void>;
  /** Every path of the work tree, and every path that has a vector. */
  allPaths(): AsyncIterable<string>;
  /** Forgets all other collections, a little at a time. */
  forgetOthers(): Promise<void>;
}

/** Rows handled between two turns of the event loop. */
const PAGE = 2_000;

/** @param embedder see EmbeddingKey; it may change */
export function vectorTable(db: IndexDb, collection: string, embedder: () => string): VectorTable {
  /** @returns how many there are more than before */
  const insert = (id: string, start: number, end: number): number => {
    const { changes } = prepared<[string, string, number, number], never>(
      db,
      "INSERT OR IGNORE INTO vectors (collection, id, start_line, end_line) VALUES (?, ?, ?, ?)",
    ).run(collection, id, start, end);
    if (!changes)
      prepared<[number, number, string, string], never>(
        db,
        "UPDATE vectors SET start_line = ?, end_line = ? WHERE collection = ? AND id = ?",
      ).run(start, end, collection, id);
    return changes;
  };
  const remove = (id: string): number =>
    prepared<[string, string], never>(db, "DELETE FROM vectors WHERE collection = ? AND id = ?").run(
      collection,
      id,
    ).changes;
  const addSlots = (n: number) =>
    prepared<[string, number], never>(
      db,
      `INSERT INTO collections (id, slots) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET slots = slots + excluded.slots`,
    ).run(collection, n);

  const move = db.transaction((wanted: readonly WantedVector[]) => {
    for (const { id, startLine, endLine } of wanted) insert(id, startLine, endLine);
  });
  const insertNew = db.transaction((vectors: readonly Place[]) => {
    let more = 0;
    for (const { id, startLine, endLine } of vectors) more += insert(id, startLine, endLine);
    addSlots(more);
    return more;
  });
  const removeAll = db.transaction((ids: readonly string[]) => {
    let fewer = 0;
    for (const id of ids) fewer += remove(id);
    return fewer;
  });

  let known: number | undefined;
  /** Counting reads every row, so it is done once. */
  function count(): number {
    known ??=
      prepared<[string], { n: number }>(db, "SELECT count(*) AS n FROM vectors WHERE collection = ?").get(
        collection,
      )?.n ?? 0;
    return known;
  }
  function added(vectors: readonly Place[]): void {
    known = count() + insertNew(vectors);
  }
  function removed(ids: readonly string[]): void {
    known = count() - removeAll(ids);
  }

  async function* ids(): AsyncIterable<string> {
    for (let after = ""; ; ) {
      const page = prepared<[string, string, number], { id: string }>(
        db,
        "SELECT id FROM vectors WHERE collection = ? AND id > ? ORDER BY id LIMIT ?",
      ).all(collection, after, PAGE);
      for (const { id } of page) yield id;
      const last = page.at(-1);
      if (!last) return;
      after = last.id;
      await nextTurn();
    }
  }

  return {
    count,
    slots: () =>
      prepared<[string], { slots: number }>(db, "SELECT slots FROM collections WHERE id = ?").get(collection)
        ?.slots ?? 0,

    difference(path) {
      const held = heldVectors(db, collection, path);
      const add: WantedVector[] = [];
      const move: WantedVector[] = [];
      const seen = new Set<string>();
      for (const wanted of wantedVectors(db, path, embedder())) {
        // The same text twice in one file: the first place stands for both.
        if (seen.has(wanted.id)) continue;
        seen.add(wanted.id);
        const lines = held.get(wanted.id);
        held.delete(wanted.id);
        if (!lines) add.push(wanted);
        else if (lines.start !== wanted.startLine || lines.end !== wanted.endLine) move.push(wanted);
      }
      return { add, move, remove: [...held.keys()] };
    },

    record(wanted) {
      const row = prepared<[string, string], { text: string; vector: Buffer }>(
        db,
        `SELECT t.text, e.vector FROM texts t JOIN embeddings e ON e.text_id = t.id
         WHERE t.text_hash = ? AND e.embedder = ?`,
      ).get(wanted.hash, embedder());
      return (
        row && {
          id: wanted.id,
          embedding: fromBlob(row.vector),
          document: row.text,
          metadata: metadataOf(wanted),
        }
      );
    },

    added,
    moved: move,
    removed,

    async compareWith(listed) {
      const unknown = new Set(listed);
      const missing: string[] = [];
      for await (const id of ids()) if (!unknown.delete(id)) missing.push(id);
      return { missing, unknown: [...unknown] };
    },
    async takeOver({ missing, unknown }) {
      for (const page of pagesOf(missing)) {
        removed(page);
        await nextTurn();
      }
      for (const page of pagesOf(unknown)) {
        added(page.map((id) => ({ id, startLine: 0, endLine: 0 })));
        await nextTurn();
      }
    },

    async *allPaths() {
      for (let after = ""; ; ) {
        const page = prepared<[string, number], { path: string }>(
          db,
          "SELECT path FROM live WHERE path > ? ORDER BY path LIMIT ?",
        ).all(after, PAGE);
        for (const { path } of page) yield path;
        const last = page.at(-1);
        if (!last) break;
        after = last.path;
        await nextTurn();
      }
      for await (const id of ids()) {
        const at = splitVectorId(id);
        if (at) yield at.path;
      }
    },

    async forgetOthers() {
      const others = prepared<[string], { id: string }>(db, "SELECT id FROM collections WHERE id <> ?").all(
        collection,
      );
      for (const { id } of others) {
        const some = prepared<[string, string, number], never>(
          db,
          `DELETE FROM vectors WHERE collection = ? AND id IN
             (SELECT id FROM vectors WHERE collection = ? LIMIT ?)`,
        );
        while (some.run(id, id, PAGE).changes > 0) await nextTurn();
        prepared<[string], never>(db, "DELETE FROM collections WHERE id = ?").run(id);
      }
    },
  };
}

/** For any Chroma client; see VectorMetadata. */
export const metadataOf = (wanted: Omit<WantedVector, "id" | "hash">): VectorRecord["metadata"] => ({
  file_path: wanted.path,
  start_line: wanted.startLine,
  end_line: wanted.endLine,
  language: wanted.language,
  node_type: wanted.kind,
});

function wantedVectors(db: IndexDb, path: string, embedder: string): WantedVector[] {
  return prepared<[string, string], Omit<WantedVector, "id">>(
    db,
    `SELECT live.path, t.text_hash AS hash, c.start_line AS startLine, c.end_line AS endLine, live.language, c.kind
     FROM live JOIN chunks c USING (blob_id) JOIN texts t ON t.id = c.text_id
     WHERE live.path = ? AND EXISTS (SELECT 1 FROM embeddings e WHERE e.text_id = c.text_id AND e.embedder = ?)
     ORDER BY c.ordinal`,
  )
    .all(path, embedder)
    .map((row) => ({ id: vectorId(row.path, row.hash), ...row }));
}

function heldVectors(
  db: IndexDb,
  collection: string,
  path: string,
): Map<string, { start: number; end: number }> {
  // "$" is the character after "#". The range also holds what lies under a path that goes on with "#".
  const rows = prepared<[string, string, string], { id: string; start: number; end: number }>(
    db,
    `SELECT id, start_line AS start, end_line AS end FROM vectors
     WHERE collection = ? AND id > ? AND id < ?`,
  ).all(collection, `${path}#`, `${path}$`);
  return new Map(rows.filter((row) => splitVectorId(row.id)?.path === path).map((row) => [row.id, row]));
}

function* pagesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i += PAGE) yield items.slice(i, i + PAGE);
}
