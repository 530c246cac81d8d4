import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { openIndexForWriting, textHash, vectorId } from "@dhi/core/index-db";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { UpstreamError } from "@dhi/core/upstream-error";
import { toBlob } from "@dhi/core/vector-blob";
import { expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { createVectorSearch } from "./vector.ts";

const never = new AbortController().signal;

test("puts what Chroma does not hold yet among what it does, each chunk once, and nothing that left the tree", async () => {
  using home = tempDir();
  const text = (name: string) => `export function ${name}(parcel) { return parcel.weight; }`;
  const db = seedIndex(home.dir, [
    { path: "saved.ts", text: text("weigh") },
    { path: "mirrored.ts", text: text("ship") },
    { path: "twice.ts", text: "nothing like it" },
    { path: "gone.ts", text: text("gone"), gone: true },
  ]);
  const idOf = (path: string, of: string) => vectorId(path, textHash(of));
  // As far as the index knows, Chroma holds one of them.
  db.prepare("INSERT INTO collections VALUES ('c', 1)").run();
  db.prepare("INSERT INTO vectors VALUES ('c', ?, 1, 1)").run(idOf("mirrored.ts", text("ship")));
  const embedder = createHashEmbedder();
  for (const row of db.prepare<[], { id: number; text: string }>("SELECT id, text FROM texts").all()) {
    const [vector] = await embedder.embedDocuments([row.text], never);
    db.prepare("INSERT INTO embeddings VALUES (?, ?, ?)").run(row.id, embedder.id, toBlob(vector ?? []));
  }
  db.exec("INSERT INTO meta VALUES ('collection', 'shop'), ('embedder', 'hash:1')");
  await using chroma = await startFakeServer(({ path }, response) => {
    response.setHeader("content-type", "application/json");
    if (!path.endsWith("/query")) {
      response.end(JSON.stringify({ id: "c", name: "shop", metadata: null, configuration_json: {} }));
      return;
    }
    const ids = [
      idOf("gone.ts", text("gone")),
      idOf("mirrored.ts", text("ship")),
      idOf("twice.ts", "nothing like it"),
    ];
    response.end(JSON.stringify({ ids: [ids], distances: [[0, 0.3, 0.9]], include: ["distances"] }));
  });
  const vectors = createVectorSearch({
    ...{ CHROMA_HOST: chroma.url, OLLAMA_HOST: "http://127.0.0.1:9", OLLAMA_KEEP_ALIVE: "5m" },
  });
  const search = async (limit: number) =>
    (await vectors.search(db, text("weigh"), limit, never)).map((found) => found.path);
  expect(await search(10)).toEqual(["saved.ts", "mirrored.ts", "twice.ts"]);
  expect(await search(2)).toEqual(["saved.ts", "mirrored.ts"]);
  db.close();
});

test("Chroma is down: what changed last is found, and where nothing has, the search fails", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, [{ path: "saved.ts", text: "weigh(parcel);" }]);
  db.exec("INSERT INTO meta VALUES ('collection', 'shop'), ('embedder', 'hash:1')");
  const vectors = createVectorSearch({
    CHROMA_HOST: `http://127.0.0.1:${await closedPort()}`,
    ...{ OLLAMA_HOST: "http://127.0.0.1:9", OLLAMA_KEEP_ALIVE: "5m" },
  });
  const search = (signal = never) => vectors.search(db, "parcel", 10, signal);
  await expect(search()).rejects.toThrow(UpstreamError);
  const embedder = createHashEmbedder();
  const [vector] = await embedder.embedDocuments(["weigh(parcel);"], never);
  const writer = openIndexForWriting(home.dir);
  writer.prepare("INSERT INTO embeddings VALUES (1, ?, ?)").run(embedder.id, toBlob(vector ?? []));
  writer.close();
  expect((await search()).map((found) => found.path)).toEqual(["saved.ts"]);
  // Whoever gave up wants no answer.
  await expect(search(AbortSignal.abort(new Error("typed on")))).rejects.toThrow("typed on");
  db.close();
});

test("the embedder is exchanged while Chroma is asked: what it does not hold yet is still found", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, [{ path: "saved.ts", text: "weigh(parcel);" }]);
  const embedder = createHashEmbedder();
  const [vector] = await embedder.embedDocuments(["weigh(parcel);"], never);
  db.prepare("INSERT INTO embeddings VALUES (1, ?, ?)").run(embedder.id, toBlob(vector ?? []));
  const useEmbedder = (collection: string, id: string) =>
    db.prepare("INSERT OR REPLACE INTO meta VALUES ('collection', ?), ('embedder', ?)").run(collection, id);
  useEmbedder("old", embedder.id);
  const held: (() => void)[] = [];
  await using servers = await startFakeServer(({ path }, response) => {
    response.setHeader("content-type", "application/json");
    const answer = (body: object) => response.end(JSON.stringify(body));
    if (path === "/api/embed") answer({ embeddings: [[1, 0]] });
    else if (path.endsWith("/query")) held.push(() => answer({ ids: [[]], distances: [[]], include: [] }));
    else answer({ id: "c", name: "c", metadata: null, configuration_json: {} });
  });
  const vectors = createVectorSearch({
    ...{ CHROMA_HOST: servers.url, OLLAMA_HOST: servers.url, OLLAMA_KEEP_ALIVE: "5m" },
  });
  const first = vectors.search(db, "parcel", 10, never);
  await expect.poll(() => held).toHaveLength(1);
  useEmbedder("new", "ollama:all-minilm");
  const second = vectors.search(db, "parcel", 10, never);
  await expect.poll(() => held).toHaveLength(2);
  for (const answer of held) answer();
  expect((await first).map((found) => found.path)).toEqual(["saved.ts"]);
  expect(await second).toEqual([]);
  db.close();
});
