import { startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { seedIndex } from "../../testing/seed-index.ts";
import type { Candidate } from "../chunk-rows.ts";
import { retrievalQuery } from "../query.ts";
import { createVectorSearch } from "../vector.ts";
import { vectorLeg } from "./vector.ts";

const queryAt = (prefix: string) => retrievalQuery({ path: "open.ts", prefix, suffix: "" });
const never = new AbortController().signal;

test("typing a line takes one embedding, and the next line one more", async () => {
  using home = tempDir();
  await using ollama = await startFakeServer((_, response) => {
    response.end(JSON.stringify({ embeddings: [[1, 0, 0]] }));
  });
  await using chroma = await startFakeServer((_, response) => {
    response.writeHead(404).end();
  });
  const db = seedIndex(home.dir, []);
  const meta = db.prepare("INSERT INTO meta (key, value) VALUES (?, ?)");
  meta.run("collection", "shop");
  meta.run("embedder", "ollama:nomic-embed-text");
  const leg = vectorLeg(
    createVectorSearch({ CHROMA_HOST: chroma.url, OLLAMA_HOST: ollama.url, OLLAMA_KEEP_ALIVE: "5m" }),
  );
  const keystroke = async (prefix: string) => {
    await Promise.resolve(leg(db, queryAt(prefix), never)).catch(() => "Chroma has nothing here");
    return ollama.requests.filter(({ path }) => path === "/api/embed").length;
  };
  const line = "const total = sum(cart);";
  const counts: number[] = [];
  for (let typed = 0; typed <= line.length; typed++)
    counts.push(await keystroke(`load();\n${line.slice(0, typed)}`));
  expect(new Set(counts)).toEqual(new Set([1]));
  expect(await keystroke(`load();\n${line}\n`)).toBe(2);
  db.close();
});

test("keeps the order of the vectors, and of a long chunk shows where the names near the cursor stand", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, []);
  const lines = Array.from({ length: 50 }, (_, i) => `filler_${i};`).with(30, "parcel;");
  const chunk = (path: string, text: string): Candidate => ({
    ...{ path, text, startLine: 101, endLine: 100 + text.split("\n").length },
    ...{ language: "typescript", kind: "function", name: null, signature: null },
  });
  const fakeVectors = {
    search: async () => [chunk("short.ts", "other();"), chunk("long.ts", lines.join("\n"))],
    health: async () => ({ status: "ok" as const, detail: "" }),
  };
  const found = await vectorLeg(fakeVectors)(db, queryAt("load();\nsend(parcel, "), never);
  db.close();
  expect(found.map((f) => [f.path, f.startLine, f.endLine, f.text])).toEqual([
    ["short.ts", 101, 101, "other();"],
    ["long.ts", 121, 136, lines.slice(20, 36).join("\n")],
  ]);
});
