import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { textHash, vectorId } from "@dhi/core/index-db";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
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
