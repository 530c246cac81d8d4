/** Chroma behind an interface: the only file that knows its client and its metadata. */
import { createHash } from "node:crypto";
import { ChromaClient, ChromaConnectionError, ChromaNotFoundError, type Collection } from "chromadb";
import { withDeadline } from "./deadline.ts";
import type { Component } from "./protocol.ts";
import { describeError, UpstreamError } from "./upstream-error.ts";
import { withoutPiecesOf } from "./without-pieces.ts";

/** One live chunk of one file. */
export interface VectorRecord {
  /** `<path>#<text hash>`; see `vectorId`. */
  readonly id: string;
  readonly embedding: readonly number[];
  readonly document: string;
  readonly metadata: VectorMetadata;
}

/** Stored for people and other Chroma clients; Dhi itself reads lines from `index.db`. */
export interface VectorMetadata {
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly language: string;
  readonly node_type: string;
}

export interface VectorHit {
  readonly path: string;
  readonly textHash: string;
  /** Cosine distance, 0 (same direction) to 2. */
  readonly distance: number;
}

/**
 * One collection. Every call ends with its signal or its own deadline, whichever is first.
 *
 * @throws {UpstreamError} from every method but `health`, when Chroma fails or has no such collection
 */
export interface VectorStore {
  /** Its name. */
  readonly collection: string;
  /** Chroma's own id of the collection, which is made when there is none: a deleted and remade one has another id. */
  collectionId(signal: AbortSignal): Promise<string>;
  /** At most 5,000 at a time. Leaves a record whose id is already there as it is. */
  add(records: readonly VectorRecord[], signal: AbortSignal): Promise<void>;
  /** Metadata only: a fraction of the cost of `add`, and reads do not wait for it. Ids that are not there are ignored. */
  updateMetadata(
    records: readonly Pick<VectorRecord, "id" | "metadata">[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Ids that are not there are ignored. */
  delete(ids: readonly string[], signal: AbortSignal): Promise<void>;
  /** @returns up to `n`, nearest first */
  query(embedding: readonly number[], n: number, signal: AbortSignal): Promise<VectorHit[]>;
  count(signal: AbortSignal): Promise<number>;
  ids(signal: AbortSignal): Promise<string[]>;
  health(signal: AbortSignal): Promise<Component>;
  /** Deletes every other collection whose name starts so. */
  dropOthers(namePrefix: string, signal: AbortSignal): Promise<void>;
}

export interface CollectionIdentity {
  readonly workspaceName: string;
  /** Absolute. */
  readonly workspacePath: string;
  readonly embedderId: string;
  readonly chunkerVersion: string;
}

/** Reads that someone waits for bring their own, shorter limit. */
const READ_MS = 10_000;
/** A bulk write on a busy machine takes seconds; past this, Chroma hangs. */
const WRITE_MS = 60_000;
const HEALTH_MS = 2_000;
const PAGE = 5_000;

type ServerLimits = ChromaClient["preflightChecks"];

/** Knows the limits of the server, which a new client else asks for before its first write. */
class InformedClient extends ChromaClient {
  constructor(options: ConstructorParameters<typeof ChromaClient>[0], limits: ServerLimits) {
    super(options);
    this.preflightChecks = limits;
  }
}

/** @param url where Chroma answers, e.g. `http://127.0.0.1:8001` */
export function createVectorStore({ url, collection }: { url: string; collection: string }): VectorStore {
  const { hostname, port, protocol } = new URL(url);
  const ssl = protocol === "https:";
  let knownId: string | undefined;

  let limits: ServerLimits;

  /** The library takes a signal per client and none per call, so each call gets a client; it holds no connection. */
  const clientFor = (signal: AbortSignal) =>
    new InformedClient(
      { host: hostname, port: Number(port) || (ssl ? 443 : 80), ssl, fetchOptions: { signal } },
      limits,
    );

  async function call<T>(
    ms: number,
    signal: AbortSignal,
    work: (client: ChromaClient) => Promise<T>,
    code: readonly string[] = [],
  ): Promise<T> {
    return withDeadline(ms, signal, async (limited) => {
      try {
        const client = clientFor(limited);
        const answer = await work(client);
        limits = client.preflightChecks;
        return answer;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        limits = undefined;
        // The collection was deleted, maybe with the whole volume: ask for it by name next time.
        if (error instanceof ChromaNotFoundError) knownId = undefined;
        // Without a cause: the client's own errors add nothing but advice for browsers.
        const words = limited.aborted ? describeError(limited.reason) : wordsOf(error);
        // It may quote what it was sent, and what it says is logged.
        throw new UpstreamError("chroma", withoutPiecesOf(code, words));
      }
    });
  }

  function wordsOf(error: unknown): string {
    if (error instanceof ChromaConnectionError) return `does not answer at ${url}`;
    if (error instanceof ChromaNotFoundError) return `404 no collection "${collection}" at ${url}`;
    return describeError(error).replace(/^Bad request to \S+ with status: /, "400 ");
  }

  function onCollection<T>(
    ms: number,
    signal: AbortSignal,
    work: (collection: Collection) => Promise<T>,
    /** That is sent. */
    code: readonly string[] = [],
  ): Promise<T> {
    const ask = async (client: ChromaClient): Promise<T> => {
      knownId ??= (await client.getCollection({ name: collection })).id;
      return work(client.collection(knownId));
    };
    return call(ms, signal, ask, code);
  }

  return {
    collection,

    collectionId: (signal) =>
      call(READ_MS, signal, async (client) => {
        const made = await client.getOrCreateCollection({
          name: collection,
          // Vectors are ours. Without null the client looks for a default model and warns on the console.
          embeddingFunction: null,
          configuration: { hnsw: { space: "cosine" } },
        });
        knownId = made.id;
        return made.id;
      }),

    add: (records, signal) =>
      onCollection(
        WRITE_MS,
        signal,
        (c) =>
          c.add({
            ids: records.map((r) => r.id),
            embeddings: records.map((r) => [...r.embedding]),
            // Chroma refuses half a surrogate pair.
            documents: records.map((r) => r.document.toWellFormed()),
            metadatas: records.map((r) => ({ ...r.metadata })),
          }),
        records.map((r) => r.document),
      ),

    updateMetadata: (records, signal) =>
      onCollection(WRITE_MS, signal, (c) =>
        c.update({ ids: records.map((r) => r.id), metadatas: records.map((r) => ({ ...r.metadata })) }),
      ),

    async delete(ids, signal) {
      await onCollection(WRITE_MS, signal, (c) => c.delete({ ids: [...ids] }));
    },

    // Never with `where`: Chroma then collects every match first, 80 ms instead of 5 at 20,000 vectors.
    query: (embedding, n, signal) =>
      onCollection(READ_MS, signal, async (c) => {
        const found = await c.query({
          queryEmbeddings: [[...embedding]],
          nResults: n,
          include: ["distances"],
        });
        const distances = found.distances[0] ?? [];
        return (found.ids[0] ?? []).flatMap((id, i) => {
          const at = splitVectorId(id);
          return at ? [{ ...at, distance: distances[i] ?? 2 }] : [];
        });
      }),

    count: (signal) => onCollection(READ_MS, signal, (c) => c.count()),

    ids: (signal) =>
      onCollection(WRITE_MS, signal, async (c) => {
        const all: string[] = [];
        for (;;) {
          const page = await c.get({ limit: PAGE, offset: all.length, include: [] });
          for (const id of page.ids) all.push(id);
          if (page.ids.length < PAGE) return all;
        }
      }),

    async health(signal) {
      try {
        await call(HEALTH_MS, signal, (client) => client.heartbeat());
        return { status: "ok", detail: url };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        return { status: "down", detail: describeError(error) };
      }
    },

    dropOthers: (namePrefix, signal) =>
      call(WRITE_MS, signal, async (client) => {
        const names: string[] = [];
        for (;;) {
          const page = await client.listCollections({ limit: 100, offset: names.length });
          for (const { name } of page) names.push(name);
          if (page.length < 100) break;
        }
        for (const name of names) {
          if (name !== collection && name.startsWith(namePrefix)) await client.deleteCollection({ name });
        }
      }),
  };
}

/** What is in a chunk's vector decides the name: change one part and a fresh collection is built, so old and new never mix. */
export function collectionName(identity: CollectionIdentity): string {
  const { workspaceName, workspacePath, embedderId, chunkerVersion } = identity;
  const slug = workspaceName.replaceAll(/[^a-zA-Z0-9]+/g, "-").slice(0, 60);
  return `${collectionPrefix(workspacePath)}${slug}-${shortHash(`${embedderId}\n${chunkerVersion}`)}`;
}

/** What the names of all collections of one workspace start with, and no other's do. */
export const collectionPrefix = (workspacePath: string): string => `dhi-${shortHash(workspacePath)}-`;

/** @returns `undefined` for an id that is not one of Dhi's. A path may hold `#` itself, a hash can't. */
export function splitVectorId(id: string): { path: string; textHash: string } | undefined {
  const at = id.lastIndexOf("#");
  return at > 0 ? { path: id.slice(0, at), textHash: id.slice(at + 1) } : undefined;
}

const shortHash = (text: string): string => createHash("sha1").update(text).digest("hex").slice(0, 8);
