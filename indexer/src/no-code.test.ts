/** What the indexer logs, or tells of itself, holds no code, however the servers that it hands code to fail. */
import { PassThrough } from "node:stream";
import { createLogger } from "@dhi/core/log";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { startIndexer } from "./start-indexer.ts";

/** So many characters may be a word of anybody's. */
const LEAST = 8;

const word = fc.stringMatching(/^[a-z]{3,9}[A-Z][a-z]{2,9}$/);
const line = fc.tuple(word, word, fc.nat()).map(([a, b, n]) => `  const ${a} = ${b}(${n}); // ${b} of ${a}`);
const file = fc.array(line, { minLength: 40, maxLength: 40 }).map((lines) => lines.join("\n"));

test.each([
  ["ollama", "ollama: 500 cannot take"],
  ["chroma", "Chroma refuses"],
])(
  "no 8 characters of an indexed file are in its log and its status when %s quotes them",
  async (broken, words) => {
    const [code = "", typed = ""] = fc.sample(file, 2);
    /** Each quotes what it is sent: Ollama as its runners do, Chroma as it does a record that it refuses. */
    await using ollama = await startFakeServer(({ path, body }, response) => {
      if (path === "/api/tags") return void response.end('{"models":[{"name":"nomic-embed-text:latest"}]}');
      const { input = [] } = (body ?? {}) as { input?: readonly string[] };
      // The text by which it is found out whether it takes any.
      if (broken === "ollama" && !input.every((text) => text.endsWith("probe"))) {
        response.writeHead(500, { "content-type": "application/json" });
        return void response.end(JSON.stringify({ error: `cannot take ${JSON.stringify(input)}` }));
      }
      response.end(JSON.stringify({ embeddings: input.map(() => [1, 2, 3]) }));
    });
    await using chroma = await startFakeServer(({ method, path, body }, response) => {
      response.setHeader("content-type", "application/json");
      if (path.endsWith("/pre-flight-checks")) return void response.end('{"max_batch_size":1000}');
      if (path.endsWith("/get")) return void response.end('{"ids":[],"include":[]}');
      if (path.endsWith("/count")) return void response.end("0");
      if (!path.endsWith("/add") && path.includes("/collections")) {
        const id = "00000000-0000-0000-0000-000000000000";
        const about = { tenant: "t", database: "d", metadata: null, configuration_json: {} };
        const isList = method === "GET" && /\/collections(\?|$)/.test(path);
        return void response.end(JSON.stringify(isList ? [] : { ...about, id, name: "c", dimension: 3 }));
      }
      // The record by which it is found out whether it takes any.
      if (path.endsWith("/delete") || JSON.stringify(body).includes("probe")) return void response.end("{}");
      response.statusCode = 400;
      response.end(JSON.stringify({ error: "InvalidArgumentError", message: JSON.stringify(body ?? "") }));
    });
    using repo = tempRepo({ "a.ts": code });
    using home = tempDir();
    const out = new PassThrough();
    let log = "";
    out.on("data", (part) => {
      log += String(part);
    });
    const config = readConfig({
      ...{ WORKSPACE: repo.dir, DHI_HOME: home.dir, INDEXER_PORT: "0", EMBEDDER: "ollama" },
      ...{ OLLAMA_HOST: ollama.url, CHROMA_HOST: chroma.url },
    });
    const at = await startIndexer(config, createLogger("indexer", "trace", out));
    const ask = (method: string, path: string, body?: object) =>
      fetch(at.url + path, { method, ...(body && { body: JSON.stringify(body) }) }).then((r) => r.text());
    try {
      await at.watching;
      // What it says of them is told to whoever asks, who may log it.
      await expect.poll(() => ask("GET", "/status"), { timeout: 10_000 }).toContain(words);
      log += await ask("GET", "/status");
      // What an editor shows, and what cannot be read as a request.
      await ask("POST", "/documents", { path: "a.ts", version: 1, content: typed });
      await ask("POST", "/documents", { path: typed, version: "one", content: typed });
      await ask("POST", "/index", { path: "b.ts", content: typed });
      await ask("GET", `/explain?path=${encodeURIComponent(typed.slice(0, 200))}`);
      await ask("GET", `/jobs/${encodeURIComponent(typed.slice(0, 200))}`);
      await ask("POST", `/${encodeURIComponent(typed.slice(0, 200))}`, { content: typed });
    } finally {
      await at.close();
    }
    for (const text of [code, typed]) {
      const pieces = Array.from(text, (_, i) => text.slice(i, i + LEAST)).filter(
        (one) => one.length === LEAST,
      );
      expect(pieces.filter((piece) => log.includes(piece))).toEqual([]);
    }
  },
  40_000,
);
