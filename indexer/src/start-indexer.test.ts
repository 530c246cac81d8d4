import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { indexDir, openIndexForReading, readMeta } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import { explainResponse, indexerResponse, job } from "@dhi/core/protocol";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IndexerConfig, readConfig } from "./config.ts";
import { IndexLockedError } from "./lock.ts";
import { type RunningIndexer, type StartOptions, startIndexer } from "./start-indexer.ts";
import { WorkspaceError } from "./workspace-root.ts";

const log = createLogger("test", "silent");

/** Chroma and Ollama are down: nothing here needs them. */
async function configFor(
  workspace: string,
  home: string,
  more: NodeJS.ProcessEnv = {},
): Promise<IndexerConfig> {
  const nobody = `127.0.0.1:${await closedPort()}`;
  return readConfig({
    ...{ WORKSPACE: workspace, DHI_HOME: home, INDEXER_PORT: "0", EMBEDDER: "hash" },
    ...{ CHROMA_HOST: nobody, OLLAMA_HOST: nobody, ...more },
  });
}

async function running(config: IndexerConfig, options?: StartOptions) {
  const started = await startIndexer(config, log, options);
  await started.watching;
  await firstOf(started).idle();
  return {
    ...started,
    /** Of the first workspace. */
    get indexer() {
      return firstOf(started);
    },
    [Symbol.asyncDispose]: () => started.close(),
  };
}

const firstOf = ({ workspaces }: RunningIndexer) => workspaces[0]!.indexer();

async function ask(at: Pick<RunningIndexer, "url">, method: string, path: string, body?: unknown) {
  const response = await fetch(at.url + path, {
    method,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const CODE = "export function total(lines: number[]): number {\n  return lines.length;\n}\n";

describe("the API", () => {
  test("answers status in the shape of the protocol", async () => {
    using repo = tempRepo({ "a.ts": CODE, ".env": "X=1\n" });
    repo.git("remote", "add", "origin", "git@example.com:team/shop.git");
    using home = tempDir();
    await using at = await running(await configFor(repo.dir, home.dir));
    const { body } = await ask(at, "GET", "/status");
    expect(indexerResponse.parse(body).workspaces[0]).toMatchObject({
      ...{ workspace: "shop", state: "watching", files: 1, chunks: 1, symbols: 1, skipped: { secret: 1 } },
      ...{ job: { state: "done", files: 2, filesTotal: 2, chunks: 1 }, counters: { filesParsed: 1 } },
    });
    expect(await ask(at, "GET", "/health")).toEqual({ status: 200, body: { status: "watching" } });
    const db = openIndexForReading(indexDir(home.dir, repo.dir));
    expect([readMeta(db!, "workspace"), readMeta(db!, "name")]).toEqual([repo.dir, "shop"]);
    db?.close();
  });

  test("indexes one file, or the content given for it until the file is synced", async () => {
    using repo = tempRepo({ "a.ts": CODE, "x.log": "1\n", ".gitignore": "*.log\n" });
    using home = tempDir();
    await using at = await running(await configFor(repo.dir, home.dir, { WORKSPACE_NAME: "mine" }));
    expect((await ask(at, "POST", "/index", { path: "a.ts" })).body).toEqual({ indexed: 1 });
    const content = `${CODE}\nexport const somethingNew = 1;\n`;
    const absolute = join(repo.dir, "a.ts");
    expect((await ask(at, "POST", "/index", { path: absolute, content })).body.skipped).toBeUndefined();
    const symbols = () => {
      const db = openIndexForReading(indexDir(home.dir, repo.dir));
      const names = db?.prepare("SELECT name FROM live JOIN symbols USING (blob_id)").pluck().all();
      db?.close();
      return names;
    };
    expect(symbols()).toContain("somethingNew");
    const { body } = await ask(at, "POST", "/sync", { path: "." });
    await at.indexer.idle();
    expect(symbols()).not.toContain("somethingNew");
    expect(job.parse((await ask(at, "GET", `/jobs/${body.job}`)).body)).toMatchObject({
      state: "done",
      files: 2,
    });

    const unsaved = await ask(at, "POST", "/index", {
      path: "tools/run",
      content: "def run(): pass\n",
      language: "python",
    });
    expect(unsaved.body).toEqual({ indexed: 1 });
    expect(symbols()).toContain("run");
    expect((await ask(at, "POST", "/index", { path: "x.log" })).body).toEqual({
      indexed: 0,
      skipped: "ignored",
    });
    expect((await ask(at, "POST", "/index", { path: "new.log", content: "1" })).body).toEqual({
      ...{ indexed: 0, skipped: "ignored" },
    });
    for (const git of [{ path: ".git/config" }, { path: ".git/HEAD", content: "1" }])
      expect((await ask(at, "POST", "/index", git)).body.skipped).toBe("ignored");
    expect((await ask(at, "POST", "/index", { path: ".env", content: "1" })).body.skipped).toBe("secret");
    expect((await ask(at, "POST", "/index", { path: "gone.ts" })).body.skipped).toBe("missing");
    const explained = async (path: string) =>
      explainResponse.parse((await ask(at, "GET", `/explain?path=${path}`)).body);
    expect(await explained("a.ts")).toMatchObject({ path: "a.ts", indexed: true, chunks: 1 });
    expect(await explained("x.log")).toMatchObject({ path: "x.log", indexed: false, skipped: "ignored" });
    expect(await explained("")).toMatchObject({ path: ".", indexed: true });
  });

  test("refuses web pages and foreign host names, but for those allowed", async () => {
    using repo = tempRepo();
    using home = tempDir();
    await using at = await running(await configFor(repo.dir, home.dir, { INDEXER_ALLOWED_HOSTS: "indexer" }));
    const statusFor = (headers: Record<string, string>) =>
      new Promise((done, fail) => {
        request(`${at.url}/health`, { headers }, (r) => done(r.resume().statusCode))
          .on("error", fail)
          .end();
      });
    expect(await statusFor({ host: "evil.example" })).toBe(403);
    expect(await statusFor({ origin: "https://evil.example" })).toBe(403);
    expect(await statusFor({ host: "indexer:8002" })).toBe(200);
  });

  test("cancels a running job; the next sync does the rest", async () => {
    using repo = tempRepo(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.ts`, `${CODE}// ${i}\n`])),
    );
    using home = tempDir();
    const started = await startIndexer(await configFor(repo.dir, home.dir), log);
    const indexer = firstOf(started);
    const first = indexer.status().job!;
    expect((await ask(started, "DELETE", `/jobs/${first.id}`)).status).toBe(200);
    await expect.poll(() => indexer.job(first.id)?.state).toBe("cancelled");
    expect(indexer.status().counters.filesParsed).toBeLessThan(300);
    await ask(started, "POST", "/sync", {});
    await started.watching;
    await indexer.idle();
    expect(indexer.status()).toMatchObject({ state: "watching", files: 300 });
    await started.close();
  });
});

describe("the API refuses and goes on:", () => {
  const repo = tempRepo();
  const home = tempDir();
  let at: RunningIndexer;
  beforeAll(async () => {
    at = await running(await configFor(repo.dir, home.dir));
  });
  afterAll(async () => {
    await at.close();
    for (const dir of [repo, home]) dir[Symbol.dispose]();
  });

  test.each<[string, string, string, unknown, number, string, RegExp]>([
    [
      "a path outside",
      "POST",
      "/index",
      { path: "../x.ts" },
      400,
      "outside_workspace",
      /"\.\.\/x\.ts" lies outside/,
    ],
    ["an absolute path outside", "POST", "/sync", { path: "/etc" }, 400, "outside_workspace", /outside/],
    ["a missing field", "POST", "/index", {}, 400, "bad_request", /^path: /],
    [
      "every wrong field",
      "POST",
      "/index",
      { path: 1, content: 2 },
      400,
      "bad_request",
      /path: .*; content: /,
    ],
    ["a NUL byte", "POST", "/index", { path: "a\0.ts" }, 400, "bad_request", /NUL/],
    [
      "a lone surrogate",
      "POST",
      "/index",
      { path: "a.ts", content: "\ud800" },
      400,
      "bad_request",
      /surrogate/,
    ],
    ["malformed JSON", "POST", "/index", "{", 400, "entity_parse_failed", /JSON/],
    ["a body over the limit", "POST", "/index", { path: "x".repeat(9e6) }, 413, "entity_too_large", /large/],
    ["an unknown route", "GET", "/nothing", undefined, 404, "not_found", /GET \/nothing/],
    ["an unknown job", "GET", "/jobs/7", undefined, 404, "no_such_job", /"7"/],
    ["an id that is no URL", "GET", "/jobs/%ff", undefined, 400, "bad_request", /%ff/],
    ["cancelling an unknown job", "DELETE", "/jobs/7", undefined, 404, "no_such_job", /"7"/],
  ])("%s", async (_, method, path, body, status, code, message) => {
    expect(await ask(at, method, path, body)).toEqual({
      status,
      body: { error: expect.objectContaining({ code, message: expect.stringMatching(message) }) },
    });
    expect((await ask(at, "GET", "/health")).status).toBe(200);
  });
});

test("a second start parses nothing", async () => {
  using repo = tempRepo({ "a.ts": CODE, "b.py": "def b(): pass\n" });
  using home = tempDir();
  const config = await configFor(repo.dir, home.dir);
  await (await running(config)).close();
  await using again = await running(config);
  expect(again.indexer.status()).toMatchObject({ files: 2, counters: { filesParsed: 0 } });
});

test("a second indexer on the same index is refused with the pid of the first, which goes on", async () => {
  using repo = tempRepo({ "a.ts": CODE });
  using home = tempDir();
  const config = await configFor(repo.dir, home.dir);
  await using at = await running(config);
  const refused = await startIndexer(config, log).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(IndexLockedError);
  expect(refused).toMatchObject({ pid: process.pid });
  expect((await ask(at, "GET", "/health")).status).toBe(200);
});

test("a port that is taken is named, and the lock is free again", async () => {
  using repo = tempRepo();
  using home = tempDir();
  await using other = await startFakeServer(() => {});
  const port = new URL(other.url).port;
  const config = await configFor(repo.dir, home.dir);
  await expect(startIndexer({ ...config, INDEXER_PORT: Number(port) }, log)).rejects.toThrow(
    `port ${port} is taken`,
  );
  await (await running(config)).close();
});

test("a workspace that is missing or a file is refused, and nothing is made", async () => {
  using home = tempDir();
  writeFileSync(join(home.dir, "file"), "");
  for (const [path, words] of [
    ["nowhere", "does not exist"],
    ["file", "is a file"],
    ["file/below", "does not exist"],
  ] as const) {
    const config = await configFor(join(home.dir, path), join(home.dir, "state"));
    const refused = await startIndexer(config, log).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WorkspaceError);
    expect(String(refused)).toContain(words);
  }
  expect(existsSync(join(home.dir, "state"))).toBe(false);
});

test("DHI_HOME inside the workspace is not indexed", async () => {
  using repo = tempRepo({ "a.ts": CODE });
  const home = join(repo.dir, "state");
  mkdirSync(home);
  writeFileSync(join(home, "own.ts"), CODE);
  await using at = await running(await configFor(repo.dir, home));
  expect(at.indexer.status().files).toBe(1);
  expect(await at.indexer.explain("state/own.ts")).toMatchObject({
    ...{ indexed: false, skipped: "ignored", detail: "Dhi keeps its own state there" },
  });
});

test("a damaged index is built anew", async () => {
  using repo = tempRepo({ "a.ts": CODE });
  using home = tempDir();
  const config = await configFor(repo.dir, home.dir);
  await (await running(config)).close();
  const file = join(indexDir(home.dir, repo.dir), "index.db");
  writeFileSync(file, readFileSync(file).subarray(0, 9_000));
  await using again = await running(config);
  expect(again.indexer.status()).toMatchObject({ files: 1, counters: { filesParsed: 1 } });
});

test("an index that is deleted while it is written is built anew, once", async () => {
  using repo = tempRepo({ "a.ts": CODE });
  using home = tempDir();
  await using at = await running(await configFor(repo.dir, home.dir), { lookForIndexMs: 10 });
  const before = at.indexer;
  rmSync(home.dir, { recursive: true });
  const now = () => at.workspaces[0]!.status();
  await expect.poll(() => now().state === "watching" && at.indexer !== before).toBe(true);
  expect(now()).toMatchObject({ files: 1, counters: { filesParsed: 1 } });
  const { ino } = statSync(join(indexDir(home.dir, repo.dir), "index.db"));
  const rebuilt = at.indexer;
  repo.write("b.ts", CODE);
  await expect.poll(() => now().files).toBe(2);
  expect(at.indexer).toBe(rebuilt);
  expect(statSync(join(indexDir(home.dir, repo.dir), "index.db")).ino).toBe(ino);
});

test("an index that cannot be looked at any more is named, and opened again when it can", async () => {
  using repo = tempRepo({ "a.ts": CODE });
  using home = tempDir();
  const options = { lookForIndexMs: 10, openAgainMs: 10 };
  await using at = await running(await configFor(repo.dir, home.dir), options);
  const now = () => at.workspaces[0]!.status();
  await expect.poll(() => now().state).toBe("watching");
  const index = join(home.dir, "index");
  renameSync(index, `${index}-away`);
  // As root sees a folder that is closed to others: a link that leads to itself.
  symlinkSync("index", index);
  await expect.poll(() => now().error).toMatch(/cannot be written \(ELOOP/);
  rmSync(index);
  renameSync(`${index}-away`, index);
  await expect.poll(() => now()).toMatchObject({ state: "watching", files: 1, counters: { filesParsed: 0 } });
});

test("a DHI_HOME that cannot be written is named", async () => {
  using repo = tempRepo({ "a.ts": CODE });
  const home = join(repo.dir, "a.ts");
  await expect(startIndexer(await configFor(repo.dir, home), log)).rejects.toThrow(
    `DHI_HOME=${home} cannot be written (ENOTDIR`,
  );
});

test("EMBEDDER=auto changes to Ollama once that has the model", async () => {
  using repo = tempRepo({ "a.ts": CODE });
  using home = tempDir();
  let models: { name: string }[] = [];
  await using fakeOllama = await startFakeServer((request, response) => {
    const inputs = (request.body as { input?: string[] } | undefined)?.input ?? [];
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(
        request.path === "/api/tags" ? { models } : { embeddings: inputs.map(() => Array(768).fill(0.1)) },
      ),
    );
  });
  const config = await configFor(repo.dir, home.dir, { EMBEDDER: "auto", OLLAMA_HOST: fakeOllama.url });
  await using at = await running(config, { lookForModelMs: 20 });
  expect(at.indexer.status().embedder.id).toMatch(/^hash:/);
  models = [{ name: "nomic-embed-text:latest" }];
  await expect.poll(() => at.indexer.status().embedder.id).toBe("ollama:nomic-embed-text");
  await expect.poll(() => at.indexer.status().counters.textsEmbedded, { timeout: 10_000 }).toBe(1);
});
