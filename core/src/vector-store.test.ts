import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type ChromaServer, startChroma } from "./testing/chroma-server.ts";
import { closedPort, startFakeServer } from "./testing/fake-server.ts";
import { tempDir } from "./testing/temp-repo.ts";
import {
  collectionName,
  collectionPrefix,
  createVectorStore,
  splitVectorId,
  type VectorRecord,
} from "./vector-store.ts";

const never = new AbortController().signal;
let chroma: ChromaServer;
let dir: ReturnType<typeof tempDir>;
let next = 0;
const newStore = () => createVectorStore({ url: chroma.url, collection: `test-${next++}` });

const unit = (slot: number): number[] => Array.from({ length: 8 }, (_, i) => (i === slot ? 1 : 0));
function record(id: string, slot: number, document = `text of ${id}`): VectorRecord {
  const metadata = {
    file_path: splitVectorId(id)?.path ?? "",
    start_line: 1,
    end_line: 9,
    language: "typescript",
    node_type: "function",
  };
  return { id, embedding: unit(slot), document, metadata };
}

beforeAll(async () => {
  dir = tempDir();
  chroma = await startChroma(dir.dir);
});
afterAll(async () => {
  await chroma.kill();
  dir[Symbol.dispose]();
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("finds the nearest first, and splits ids at the last #", async () => {
  const store = newStore();
  await store.collectionId(never);
  await store.add([record("a.ts#h1", 0), record("odd#name.ts#h2", 1)], never);
  expect(await store.query([0.1, 0.9, 0, 0, 0, 0, 0, 0], 10, never)).toEqual([
    { path: "odd#name.ts", textHash: "h2", distance: expect.closeTo(0.0061, 3) },
    { path: "a.ts", textHash: "h1", distance: expect.closeTo(0.8896, 3) },
  ]);
  expect(await store.query(unit(0), 1, never)).toHaveLength(1);
});

test("stores document and metadata that any Chroma client can read", async () => {
  const store = newStore();
  const id = await store.collectionId(never);
  await store.add([record("src/a.ts#h1", 0, "half a pair: \ud83d, NUL: \0")], never);
  await store.updateMetadata(
    [{ id: "src/a.ts#h1", metadata: { ...record("src/a.ts#h1", 0).metadata, start_line: 11, end_line: 19 } }],
    never,
  );
  const response = await fetch(
    `${chroma.url}/api/v2/tenants/default_tenant/databases/default_database/collections/${id}/get`,
    { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
  );
  expect(await response.json()).toMatchObject({
    ids: ["src/a.ts#h1"],
    documents: ["half a pair: \ufffd, NUL: \0"],
    metadatas: [
      {
        file_path: "src/a.ts",
        start_line: 11,
        end_line: 19,
        language: "typescript",
        node_type: "function",
      },
    ],
  });
});

test("counts, lists and deletes; ids that are not there do no harm", async () => {
  const store = newStore();
  await store.collectionId(never);
  await store.add([record("a#1", 0), record("a#2", 1), record("b#1", 2)], never);
  await store.add([record("a#1", 3)], never);
  await store.updateMetadata([record("nobody#1", 0)], never);
  await store.delete(["a#2", "nobody#1"], never);
  expect(await store.count(never)).toBe(2);
  expect((await store.ids(never)).sort()).toEqual(["a#1", "b#1"]);
});

test("asks once for what a write needs: each one after the first is one request", async () => {
  const store = newStore();
  await store.collectionId(never);
  await store.add([record("a#h1", 0)], never);
  const asked = vi.spyOn(globalThis, "fetch");
  await store.add([record("b#h2", 1)], never);
  await store.updateMetadata([record("b#h2", 1)], never);
  await store.delete(["a#h1"], never);
  expect(asked).toHaveBeenCalledTimes(3);
});

test("lists more ids than one page holds", async () => {
  const store = newStore();
  await store.collectionId(never);
  const ids = Array.from({ length: 6_001 }, (_, i) => `f#${i}`);
  for (const part of [ids.slice(0, 3_000), ids.slice(3_000)]) {
    await store.add(
      part.map((id, i) => ({ ...record(id, 0), embedding: [1, i] })),
      never,
    );
  }
  expect((await store.ids(never)).sort()).toEqual(ids.sort());
});

test("reading a collection that does not exist fails and does not make it", async () => {
  const store = newStore();
  const failure = { name: "UpstreamError", message: expect.stringContaining("404 no collection") };
  await expect(store.query(unit(0), 1, never)).rejects.toMatchObject(failure);
  await expect(store.count(never)).rejects.toMatchObject(failure);
});

test("goes on with a collection that was deleted and made again, under its new id", async () => {
  const store = newStore();
  const before = await store.collectionId(never);
  await store.add([record("a#1", 0)], never);
  const other = createVectorStore({ url: chroma.url, collection: "test-keep" });
  await other.collectionId(never);
  await other.dropOthers(store.collection, never);
  await expect(store.count(never)).rejects.toThrow("404 no collection");
  expect(await store.collectionId(never)).not.toBe(before);
  expect(await store.count(never)).toBe(0);
});

test("drops the other collections of one workspace and no more", async () => {
  const named = (collection: string) => createVectorStore({ url: chroma.url, collection });
  const mine = ["drop-a-1", "drop-a-2", "drop-b-1"].map(named);
  for (const store of mine) await store.collectionId(never);
  await mine[0]?.dropOthers("drop-a-", never);
  expect(await mine[0]?.count(never)).toBe(0);
  await expect(mine[1]?.count(never)).rejects.toThrow("404");
  expect(await mine[2]?.count(never)).toBe(0);
});

test("prints nothing, whatever it does", async () => {
  const printed = (["log", "info", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  const store = newStore();
  await store.collectionId(never);
  await createVectorStore({ url: chroma.url, collection: store.collection }).count(never);
  await store.dropOthers("nobody-", never);
  expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([]);
});

test("quotes Chroma", async () => {
  const store = newStore();
  await store.collectionId(never);
  await store.add([record("a#1", 0)], never);
  await expect(store.query([1, 2], 1, never)).rejects.toMatchObject({
    name: "UpstreamError",
    message: "chroma: 400 Collection expecting embedding with dimension of 8, got 2",
  });
});

test("is healthy while Chroma answers", async () => {
  expect(await newStore().health(never)).toEqual({ status: "ok", detail: chroma.url });
});

test("says where nobody answers", async () => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  const store = createVectorStore({ url, collection: "abc" });
  const words = `chroma: does not answer at ${url}`;
  expect(await store.health(never)).toEqual({ status: "down", detail: words });
  await expect(store.count(never)).rejects.toMatchObject({ name: "UpstreamError", message: words });
});

test("hangs up when the signal fires, with its reason", async () => {
  await using hanging = await startFakeServer(() => {});
  const store = createVectorStore({ url: hanging.url, collection: "abc" });
  const gone = new AbortController();
  const waiting = store.query(unit(0), 1, gone.signal);
  waiting.catch(() => {});
  await expect.poll(() => hanging.requests.length).toBe(1);
  gone.abort();
  await expect(waiting).rejects.toBe(gone.signal.reason);
  await hanging.closed(0);
});

test("is down when Chroma takes a connection and then says nothing", async () => {
  await using hanging = await startFakeServer(() => {});
  const store = createVectorStore({ url: hanging.url, collection: "abc" });
  expect(await store.health(never)).toEqual({ status: "down", detail: "chroma: no answer within 2 s" });
});

test("keeps what Chroma acknowledged through a SIGKILL", async () => {
  const folder = mkdtempSync(join(dir.dir, "killed-"));
  const first = await startChroma(folder);
  const store = createVectorStore({ url: first.url, collection: "killed" });
  const id = await store.collectionId(never);
  await store.add([record("a#1", 0), record("a#2", 1)], never);
  await first.kill();
  await using _second = await startChroma(folder, first.port);
  expect(await store.collectionId(never)).toBe(id);
  expect((await store.ids(never)).sort()).toEqual(["a#1", "a#2"]);
  expect(await store.query(unit(1), 1, never)).toEqual([{ path: "a", textHash: "2", distance: 0 }]);
});

const identity = {
  workspaceName: "acme/billing ✓",
  workspacePath: "/home/me/billing",
  embedderId: "hash:1",
  chunkerVersion: "1",
};

test("a collection's name is readable and one that Chroma takes", async () => {
  const name = collectionName(identity);
  expect(name).toMatchInlineSnapshot(`"dhi-6093fba7-acme-billing--bcee8c07"`);
  expect(name.startsWith(collectionPrefix(identity.workspacePath))).toBe(true);
  for (const workspaceName of ["", "...", "日本語", "x".repeat(900)]) {
    const odd = collectionName({ ...identity, workspaceName });
    expect(odd).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]$/);
    await createVectorStore({ url: chroma.url, collection: odd }).collectionId(never);
  }
});

test.each([
  ["workspacePath", "/home/me/other"],
  ["embedderId", "ollama:nomic-embed-text"],
  ["chunkerVersion", "2"],
])("another %s gives another collection", (key, value) => {
  expect(collectionName({ ...identity, [key]: value })).not.toBe(collectionName(identity));
});

test("an id without a path is none of ours", () => {
  expect(splitVectorId("#h")).toBeUndefined();
  expect(splitVectorId("h")).toBeUndefined();
});
