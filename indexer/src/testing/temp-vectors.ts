/** An index with files put in by hand, and vector sync at work on it. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "@dhi/core/embedder";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { type IndexDb, openIndexForWriting, readMeta, textHash } from "@dhi/core/index-db";
import { UpstreamError } from "@dhi/core/upstream-error";
import {
  collectionName,
  collectionPrefix,
  createVectorStore,
  type VectorRecord,
  type VectorStore,
} from "@dhi/core/vector-store";
import { createIndexStore } from "../index-store.ts";
import type { Demand } from "../vectors/throttle.ts";
import { createVectorSync, type VectorSync, type VectorSyncTiming } from "../vectors/vector-sync.ts";

export interface TempVectors extends AsyncDisposable {
  readonly db: IndexDb;
  readonly prefix: string;
  /** One chunk per text, one line each. */
  put(path: string, ...texts: string[]): void;
  putFrom(path: string, firstLine: number, ...texts: string[]): void;
  remove(path: string): void;
  start(options: StartVectors): VectorSync;
  nameFor(embedderId: string): string;
  /** Ids in Chroma, of the collection that is asked, in order. */
  held(url: string): Promise<string[]>;
  /** What the index remembers of it. */
  remembered(): string[];
  meta(): { readonly collection: string | undefined; readonly embedder: string | undefined };
}

export interface StartVectors {
  /** Where Chroma is, or what stands for it. */
  readonly store: string | ((collection: string) => VectorStore);
  readonly embedder?: Embedder;
  readonly demand?: Partial<Demand>;
  readonly timing?: Partial<VectorSyncTiming>;
  readonly onDamaged?: () => void;
}

const fast: Partial<VectorSyncTiming> = {
  gatherMs: 0,
  pauseMs: 0,
  checkMs: 50,
  rebuildFromSlots: 10_000,
  refusedMs: 50,
  retry: { firstMs: 20, mostMs: 50 },
  failedTextMs: 50,
  stillMs: 0,
};
const never = new AbortController().signal;

/** @param parent folder for it */
export function tempVectors(parent: string): TempVectors {
  const workspacePath = mkdtempSync(join(parent, "index-"));
  const db = openIndexForWriting(workspacePath);
  const index = createIndexStore(db);
  const open: VectorSync[] = [];
  const prefix = collectionPrefix(workspacePath);
  const nameFor = (embedderId: string) =>
    collectionName({ workspaceName: "w", workspacePath, embedderId, chunkerVersion: "1" });

  function putFrom(path: string, firstLine: number, ...texts: string[]): void {
    const blob = textHash(`${firstLine} ${texts.join("|")}`);
    if (!index.isAnalysed(blob, "typescript"))
      index.putAnalysis(blob, "typescript", {
        ...{ bytes: texts.join("").length, symbols: [], references: [], imports: [] },
        chunks: texts.map((text, i) => ({
          ...{ kind: "function", name: null, container: null, signature: null, text },
          ...{ startLine: firstLine + i, endLine: firstLine + i, textHash: textHash(text), terms: text },
        })),
      });
    index.setMembership([{ path, blob, language: "typescript", bytes: 1, changedMs: 1, skip: null }], []);
  }

  return {
    ...{ db, prefix, nameFor, putFrom },
    put: (path, ...texts) => putFrom(path, 1, ...texts),
    remove: (path) => index.setMembership([], [path]),
    start({ store, embedder = createHashEmbedder(), demand = {}, timing, onDamaged = () => {} }) {
      const openStore =
        typeof store === "string" ? (c: string) => createVectorStore({ url: store, collection: c }) : store;
      const sync = createVectorSync({
        ...{ db, embedder, demand, openStore, onDamaged, embedderDetail: "for this test" },
        collection: { name: nameFor(embedder.id), prefix },
        log: { info() {}, warn() {} },
        timing: { ...fast, ...timing },
      });
      open.push(sync);
      return sync;
    },
    held: async (url) =>
      (await createVectorStore({ url, collection: readMeta(db, "collection") ?? "" }).ids(never)).sort(),
    remembered: () =>
      db
        .prepare<[], { id: string }>("SELECT id FROM vectors ORDER BY id")
        .all()
        .map((row) => row.id),
    meta: () => ({ collection: readMeta(db, "collection"), embedder: readMeta(db, "embedder") }),
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((sync) => sync.close()));
      db.close();
    },
  };
}

/** Stands for Chroma where what counts is what it is asked: keeps collections in memory and notes each call. */
export interface FakeChroma {
  open(collection: string): VectorStore;
  /** Names of the calls so far. */
  readonly calls: string[];
  /** collection → id → record */
  readonly collections: ReadonlyMap<string, ReadonlyMap<string, VectorRecord>>;
  /** Asked before each write; an error that is returned is thrown. */
  refuse: (call: string, ids: readonly string[]) => Error | undefined;
}

export function fakeChroma(): FakeChroma {
  const collections = new Map<string, Map<string, VectorRecord>>();
  const calls: string[] = [];
  function noted(call: string, ids: readonly string[] = []): void {
    calls.push(call);
    const error = fake.refuse(call, ids);
    if (error) throw new UpstreamError("chroma", error.message);
  }
  const fake: FakeChroma = {
    ...{ calls, collections, refuse: () => undefined },
    open(collection) {
      const records = () => {
        const found = collections.get(collection);
        if (!found) throw new UpstreamError("chroma", "404 no such collection");
        return found;
      };
      return {
        collection,
        async collectionId() {
          noted("collectionId");
          collections.set(collection, collections.get(collection) ?? new Map());
          return `id of ${collection}`;
        },
        async add(added) {
          noted(
            "add",
            added.map((r) => r.id),
          );
          for (const record of added) if (!records().has(record.id)) records().set(record.id, record);
        },
        async updateMetadata(moved) {
          noted(
            "updateMetadata",
            moved.map((r) => r.id),
          );
        },
        async delete(ids) {
          noted("delete", ids);
          for (const id of ids) records().delete(id);
        },
        async query() {
          return [];
        },
        async count() {
          noted("count");
          return records().size;
        },
        async ids() {
          noted("ids");
          return [...records().keys()];
        },
        async health() {
          return { status: "ok", detail: "" };
        },
        async dropOthers() {
          noted("dropOthers");
          for (const name of collections.keys()) if (name !== collection) collections.delete(name);
        },
      };
    },
  };
  return fake;
}
