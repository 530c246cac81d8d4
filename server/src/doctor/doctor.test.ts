import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DoctorResponse, doctorResponse } from "@dhi/core/config-protocol";
import { blobId, indexDir, openIndexForWriting } from "@dhi/core/index-db";
import type { IndexerStatus } from "@dhi/core/protocol";
import { closedPort, type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { type TempRepo, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeModel, startFakeOllama } from "../testing/fake-ollama.ts";
import { type Served, serve } from "../testing/serve.ts";
import { shownModels } from "../testing/shown-models.ts";
import type { Setup } from "./check.ts";
import { checks } from "./doctor.ts";

const MODEL = "qwen2.5-coder:1.5b-base";
const EMBEDDER = "ollama:nomic-embed-text";
const FILES = { "src/a.ts": "export const a = 1;\n", "src/deep/b.ts": "export const b = 2;\n" };

let library: Record<string, FakeModel>;
let status: IndexerStatus;
/** Of the vectors in Chroma. */
let dimension: number;
let repo: TempRepo;
let ollama: FakeServer;
let chroma: FakeServer;
let indexer: FakeServer;
let servers: Served[];

beforeEach(async () => {
  library = { [MODEL]: { shown: shownModels.qwen, size: 1_000 } };
  dimension = 3;
  status = {
    ...{ workspace: "shop", state: "watching", files: 2, chunks: 2, symbols: 2, skipped: {} },
    ...{ lastChangeAt: null, job: null, pendingEmbeddings: 0 },
    embedder: { id: EMBEDDER, status: "ok", detail: "nomic-embed-text at Ollama" },
    vectors: { collection: "c", status: "ok", detail: "", stored: 2 },
    counters: { filesParsed: 0, textsEmbedded: 0 },
  };
  repo = tempRepo(FILES);
  ollama = await startFakeOllama(library);
  indexer = await startFakeServer(
    (_, response) => void response.end(JSON.stringify({ workspaces: [status] })),
  );
  chroma = await startFakeServer(({ path }, response) => {
    response.setHeader("content-type", "application/json");
    if (path.endsWith("/version")) return void response.end('"1.0.0"');
    if (path.endsWith("/count")) return void response.end("2");
    const id = "00000000-0000-0000-0000-000000000000";
    response.end(JSON.stringify({ id, name: "c", dimension, metadata: null, tenant: "t", database: "d" }));
  });
  servers = [];
});
afterEach(async () => {
  for (const server of [...servers, ollama, chroma, indexer]) await server[Symbol.asyncDispose]();
  repo[Symbol.dispose]();
});

/** @param files in its index; without them it has none */
async function start(env: NodeJS.ProcessEnv = {}, files?: Readonly<Record<string, string>>): Promise<Served> {
  const settings = {
    ...{ OLLAMA_HOST: ollama.url, CHROMA_HOST: chroma.url, INDEXER_HOST: indexer.url, ENGINE: "ollama" },
    ...{ WORKSPACE: repo.dir, ...env },
  };
  const server = await serve(settings, (home) => files && index(home, files));
  servers.push(server);
  return server;
}

function index(home: string, files: Readonly<Record<string, string>>): void {
  const db = openIndexForWriting(indexDir(home, repo.dir));
  const insert = (sql: string, ...values: unknown[]) => db.prepare(sql).run(...values).lastInsertRowid;
  for (const [path, text] of Object.entries(files)) {
    const blob = blobId(Buffer.from(text));
    const id = insert(
      `INSERT INTO blobs (blob, language, chunker, bytes, chunks, symbols, used_at) VALUES (?, '', '', 0, 0, 0, 0)`,
      blob,
    );
    insert("INSERT INTO files VALUES (?, ?, 'typescript', 1, 0, NULL)", path, id);
  }
  insert(
    "INSERT INTO embeddings VALUES (1, ?, ?)",
    EMBEDDER,
    Buffer.from(new Float32Array([1, 0, 0]).buffer),
  );
  for (const [key, value] of Object.entries({ embedder: EMBEDDER, collection: "c" }))
    insert("INSERT INTO meta VALUES (?, ?)", key, value);
  db.close();
}

async function doctor(server: Served) {
  const answer = await server.get("/v1/doctor");
  expect(answer.status).toBe(200);
  return byId(doctorResponse.parse(answer.body));
}

/** What the machine alone decides is left out. */
const byId = ({ status, checks }: DoctorResponse): Record<string, unknown> => ({
  status,
  ...Object.fromEntries(checks.map(({ id, title: _, ...finding }) => [id, finding])),
});
const OF_THE_MACHINE = { disk: expect.anything(), memory: expect.anything(), git: expect.anything() };

test("finds nothing wrong where nothing is", async () => {
  const server = await start({}, FILES);
  // A busy machine may have too little time for one of them.
  await expect
    .poll(() => doctor(server))
    .toEqual({
      ...OF_THE_MACHINE,
      status: expect.stringMatching(/ok|warn/),
      node: { status: "ok", detail: process.version },
      ports: { status: "ok", detail: expect.stringMatching(/^\d+ Chroma, \d+ the indexer, \d+ Ollama$/) },
      workspace: { status: "ok", detail: repo.dir },
      indexer: { status: "ok", detail: "shop: watching, 2 files, 2 chunks" },
      index: { status: "ok", detail: "shop: 2 of 2 files as they are on the disk" },
      watcher: { status: "ok", detail: expect.stringMatching(/^3 folders to watch|no limit/) },
      chroma: { status: "ok", detail: `1.0.0 at ${chroma.url}` },
      embedder: {
        status: "ok",
        detail: `${EMBEDDER}: nomic-embed-text at Ollama; 3 numbers a vector, in shop's collection as well`,
      },
      engine: { status: "ok", detail: `${MODEL} at ${ollama.url}` },
      model: { status: "ok", detail: `${MODEL}, asked as qwen` },
      gpu: { status: "ok", detail: `unknown until ${MODEL} is loaded` },
      clock: { status: "ok", detail: "the same everywhere" },
    });
});

test("with everything away it says what is, and how to start it", async () => {
  const server = await serve({ ENGINE: "ollama", WORKSPACE: join(repo.dir, "gone") });
  servers.push(server);
  await expect
    .poll(() => doctor(server))
    .toMatchObject({
      status: "fail",
      workspace: { status: "fail", fix: "npm start -- --workspace DIR" },
      indexer: { status: "fail", detail: expect.stringMatching(/not kept up to date$/), fix: "npm start" },
      index: { status: "fail", detail: "shop has no index yet", fix: "dhi index" },
      chroma: { status: "fail", detail: expect.stringMatching(/code is found by words alone$/) },
      embedder: { status: "warn", detail: "unknown while the indexer does not answer" },
      engine: { status: "fail", fix: "ollama serve" },
      model: { status: "fail", detail: expect.stringMatching(/^unknown: ollama/) },
      gpu: { status: "ok", detail: `unknown until ${MODEL} is loaded` },
    });
});

test("a model that Ollama does not have, or that cannot infill, comes with one that helps", async () => {
  delete library[MODEL];
  const server = await start();
  await expect
    .poll(() => doctor(server))
    .toMatchObject({
      engine: {
        ...{ status: "fail", detail: expect.stringContaining("is missing"), fix: `ollama pull ${MODEL}` },
      },
      model: {
        status: "fail",
        detail: `Ollama does not have ${MODEL}`,
        fix: expect.stringMatching(/pull|models/),
      },
    });
  library[MODEL] = { shown: shownModels.allMinilm };
  await expect
    .poll(() => doctor(server))
    .toMatchObject({
      model: {
        status: "fail",
        detail: `${MODEL} cannot fill in the middle`,
        fix: expect.stringContaining("dhi model"),
      },
    });
});

test("with ENGINE=auto a missing Ollama is a warning, since the built-in engine answers", async () => {
  delete library[MODEL];
  const server = await start({ ENGINE: "auto" });
  await expect
    .poll(async () => (await doctor(server)).engine)
    .toMatchObject({
      ...{
        status: "warn",
        detail: expect.stringMatching(/^instant, without a model/),
        fix: expect.any(String),
      },
    });
  await expect.poll(() => doctor(server)).toMatchObject({ model: { status: "warn" } });
});

test("an engine that was chosen is looked at by its own name, whatever the settings say", async () => {
  delete library[MODEL];
  const away = `http://127.0.0.1:${await closedPort()}`;
  const server = await start({ ENGINE: "auto", LLAMA_SERVER_HOST: away });
  await server.send("PUT", "/v1/config", { engine: "instant" });
  await expect
    .poll(() => doctor(server))
    .toMatchObject({
      engine: { status: "ok" },
      model: { status: "ok", detail: "the built-in engine needs none" },
    });
  await server.send("PUT", "/v1/config", { engine: "llama-server" });
  await expect
    .poll(async () => (await doctor(server)).engine)
    .toMatchObject({ status: "fail", fix: expect.stringContaining("LLAMA_SERVER_HOST") });
});

test("files that the index has otherwise, or that are gone, are counted", async () => {
  const server = await start({}, { ...FILES, "src/old.ts": "gone" });
  writeFileSync(join(repo.dir, "src/a.ts"), "changed");
  await expect
    .poll(() => doctor(server))
    .toMatchObject({
      index: {
        ...{ status: "warn", fix: "dhi index" },
        detail: expect.stringMatching(/^shop: 2 of 3 files differ from the disk, such as src\/(a|old)\.ts$/),
      },
    });
});

test("line ends that git wrote for this system are no difference", async () => {
  const server = await start({}, FILES);
  writeFileSync(join(repo.dir, "src/a.ts"), FILES["src/a.ts"].replace("\n", "\r\n"));
  await expect.poll(() => doctor(server)).toMatchObject({ index: { status: "ok" } });
});

test("vectors of another length than the collection's are a failure", async () => {
  dimension = 768;
  const server = await start({}, FILES);
  await expect
    .poll(() => doctor(server))
    .toMatchObject({
      embedder: {
        status: "fail",
        detail: `shop: ${EMBEDDER} makes vectors of 3 numbers, the collection c holds 768`,
        fix: expect.stringMatching(/^curl -X DELETE http\S+\/collections\/c, /),
      },
    });
});

test("an indexer that could not open the index says why", async () => {
  status = { ...status, state: "failed", error: "another indexer owns it" };
  const server = await start();
  await expect
    .poll(() => doctor(server))
    .toMatchObject({
      indexer: { status: "fail", detail: "shop: another indexer owns it" },
    });
});

test("what takes too long is left behind, and the rest is told", async () => {
  const held: (() => void)[] = [];
  await using slow = await startFakeServer((_, response) => void held.push(() => response.end()));
  const server = await start({ CHROMA_HOST: slow.url });
  const from = performance.now();
  await expect
    .poll(() => doctor(server))
    .toMatchObject({ chroma: { status: "fail" }, node: { status: "ok" } });
  expect(performance.now() - from).toBeLessThan(12_000);
  for (const release of held) release();
});

test("an indexer that hangs is told, and no check that asks others besides hangs with it", async () => {
  await using hung = await startFakeServer(() => {});
  const server = await start({ INDEXER_HOST: hung.url }, FILES);
  await expect
    .poll(() => doctor(server))
    .toMatchObject({
      indexer: { status: "fail", detail: expect.stringContaining("no answer in time") },
      ...{ chroma: { status: "ok" }, embedder: { status: "ok" } },
      ports: { status: "warn", detail: expect.stringContaining("says nothing") },
    });
});

test("in Compose, where each part is a container, its commands are named", async () => {
  const [workspace] = checks.filter(({ id }) => id === "workspace");
  const setup = { workspaces: [{ path: join(repo.dir, "gone") }], inCompose: true } as unknown as Setup;
  expect(await workspace?.look(setup, AbortSignal.timeout(1_000))).toMatchObject({
    ...{ status: "fail", fix: expect.stringMatching(/^set WORKSPACE in \.env .* docker compose up -d/) },
  });
});

test("each check has an id of its own", () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});
