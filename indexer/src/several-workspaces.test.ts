import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { indexDir, openIndexForReading } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import { type IndexerStatus, indexerResponse, type Job } from "@dhi/core/protocol";
import { closedPort } from "@dhi/core/testing/fake-server";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { IndexLockedError, lockIndex } from "./lock.ts";
import { type RunningIndexer, type StartOptions, startIndexer } from "./start-indexer.ts";

const log = createLogger("test", "silent");
/** The machine may be busy with other tests. */
const WAIT = { timeout: 10_000, interval: 20 };
const code = (name: string) => `export function ${name}(): number {\n  return 1;\n}\n`;

interface Roots extends Disposable {
  /** A git repository. */
  readonly shop: TempRepo;
  /** A plain folder. */
  readonly docs: string;
  readonly home: string;
  write(path: string, content: string): void;
  /** Names defined in what the index of that folder has. */
  symbols(folder: string): Record<string, string>;
}

/** Both have a `src/a.ts`. */
function tempRoots(): Roots {
  const shop = tempRepo({ "src/a.ts": code("inShop") });
  shop.commit();
  const dir = tempDir();
  const docs = join(dir.dir, "docs");
  const home = join(dir.dir, "home");
  const write = (path: string, content: string) => {
    mkdirSync(join(docs, path, ".."), { recursive: true });
    writeFileSync(join(docs, path), content);
  };
  write("src/a.ts", code("inDocs"));
  return {
    ...{ shop, docs, home, write },
    symbols(folder) {
      const db = openIndexForReading(indexDir(home, folder));
      const rows = db
        ?.prepare<[], { path: string; name: string }>(
          "SELECT path, name FROM live JOIN symbols USING (blob_id) ORDER BY path",
        )
        .all();
      db?.close();
      return Object.fromEntries((rows ?? []).map(({ path, name }) => [path, name]));
    },
    [Symbol.dispose]() {
      for (const place of [shop, dir]) place[Symbol.dispose]();
    },
  };
}

async function running({ shop, docs, home }: Roots, options?: StartOptions) {
  const nobody = `127.0.0.1:${await closedPort()}`;
  const config = readConfig({
    ...{ DHI_WORKSPACES: `shop=${shop.dir},${docs}`, DHI_HOME: home, INDEXER_PORT: "0", EMBEDDER: "hash" },
    ...{ CHROMA_HOST: nobody, OLLAMA_HOST: nobody },
  });
  const started = await startIndexer(config, log, options);
  await started.watching;
  // Else the first sync could come after what a test has sent.
  for (const workspace of started.workspaces)
    if (workspace.failure() === undefined) await workspace.indexer().idle();
  return { ...started, [Symbol.asyncDispose]: () => started.close() };
}

async function ask<T>({ url }: Pick<RunningIndexer, "url">, method: string, path: string, body?: object) {
  const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: (await response.json()) as T };
}
const codeOf = async (answer: ReturnType<typeof ask<{ error: { code: string } }>>) => {
  const { status, body } = await answer;
  return `${status} ${body.error.code}`;
};

async function statusOf(at: Pick<RunningIndexer, "url">): Promise<Record<string, IndexerStatus>> {
  const { body } = await ask(at, "GET", "/status");
  const { workspaces } = indexerResponse.parse(body);
  return Object.fromEntries(workspaces.map((status) => [status.workspace, status]));
}

test("a save reaches the index of its own folder only, also under the same relative path", async () => {
  using roots = tempRoots();
  const { shop, docs } = roots;
  await using _at = await running(roots);
  const both = () => [roots.symbols(shop.dir), roots.symbols(docs)];
  await expect.poll(both, WAIT).toEqual([{ "src/a.ts": "inShop" }, { "src/a.ts": "inDocs" }]);
  roots.write("src/a.ts", code("changedInDocs"));
  await expect.poll(both, WAIT).toEqual([{ "src/a.ts": "inShop" }, { "src/a.ts": "changedInDocs" }]);
  shop.write("src/a.ts", code("changedInShop"));
  await expect.poll(both, WAIT).toEqual([{ "src/a.ts": "changedInShop" }, { "src/a.ts": "changedInDocs" }]);
  shop.write("b.ts", code("onlyInShop"));
  await expect
    .poll(both, WAIT)
    .toEqual([{ "b.ts": "onlyInShop", "src/a.ts": "changedInShop" }, { "src/a.ts": "changedInDocs" }]);
  rmSync(join(docs, "src"), { recursive: true });
  await expect.poll(both, WAIT).toEqual([{ "b.ts": "onlyInShop", "src/a.ts": "changedInShop" }, {}]);
});

test("the API asks which workspace is meant, unless a name or an absolute path tells", async () => {
  using roots = tempRoots();
  const { shop, docs } = roots;
  await using at = await running(roots);
  const saved = { path: "src/a.ts", content: code("unsaved") };
  expect(await codeOf(ask(at, "POST", "/index", saved))).toBe("400 workspace_needed");
  expect(await codeOf(ask(at, "POST", "/sync", {}))).toBe("400 workspace_needed");
  expect(await codeOf(ask(at, "GET", "/explain?path=src/a.ts"))).toBe("400 workspace_needed");
  expect(await codeOf(ask(at, "POST", "/index", { ...saved, workspace: "bank" }))).toBe(
    "404 no_such_workspace",
  );

  expect((await ask(at, "POST", "/index", { ...saved, workspace: "docs" })).body).toEqual({ indexed: 1 });
  expect([roots.symbols(shop.dir), roots.symbols(docs)]).toEqual([
    { "src/a.ts": "inShop" },
    { "src/a.ts": "unsaved" },
  ]);
  const inShop = { path: join(shop.dir, "src/a.ts"), content: code("unsavedToo") };
  expect((await ask(at, "POST", "/index", inShop)).body).toEqual({ indexed: 1 });
  expect(roots.symbols(shop.dir)).toEqual({ "src/a.ts": "unsavedToo" });
  expect((await ask(at, "GET", "/explain?workspace=shop&path=src/b.ts")).body).toEqual({
    ...{ path: "src/b.ts", indexed: false, skipped: "missing", detail: "nothing lies at this path" },
  });

  for (const folder of [{ workspace: "shop" }, { path: docs }]) {
    const { body } = await ask<{ job: string }>(at, "POST", "/sync", folder);
    const job = async () => (await ask<Job>(at, "GET", `/jobs/${body.job}`)).body.state;
    await expect.poll(job, WAIT).toBe("done");
    expect((await ask<Job>(at, "DELETE", `/jobs/${body.job}`)).body.state).toBe("done");
  }
  expect([roots.symbols(shop.dir), roots.symbols(docs)]).toEqual([
    { "src/a.ts": "inShop" },
    { "src/a.ts": "inDocs" },
  ]);
  expect(await statusOf(at)).toMatchObject({ shop: { files: 1 }, docs: { files: 1 } });
});

test("one that another indexer owns is failed with the reason, and opened once it is free; the other goes on", async () => {
  using roots = tempRoots();
  const { shop, docs } = roots;
  mkdirSync(indexDir(roots.home, docs), { recursive: true });
  const lock = lockIndex(indexDir(roots.home, docs));
  await using at = await running(roots, { openAgainMs: 20 });
  await expect.poll(() => roots.symbols(shop.dir), WAIT).toEqual({ "src/a.ts": "inShop" });
  await expect
    .poll(() => statusOf(at), WAIT)
    .toMatchObject({
      shop: { state: "watching", files: 1 },
      docs: {
        state: "failed",
        error: expect.stringContaining(`another indexer owns ${indexDir(roots.home, docs)}`),
      },
    });
  expect((await ask(at, "GET", "/health")).body).toEqual({
    ...{ status: "watching", detail: expect.stringMatching(/^docs: another indexer owns/) },
  });
  const refused = { workspace: "docs", path: "src/a.ts" };
  expect(await codeOf(ask(at, "POST", "/index", refused))).toBe("503 workspace_failed");
  expect((await ask(at, "POST", "/index", { ...refused, workspace: "shop" })).body).toEqual({ indexed: 1 });

  lock.release();
  await expect.poll(() => roots.symbols(docs), WAIT).toEqual({ "src/a.ts": "inDocs" });
  await expect.poll(async () => (await statusOf(at)).docs?.state, WAIT).toBe("watching");
  roots.write("src/a.ts", code("changedInDocs"));
  await expect.poll(() => roots.symbols(docs), WAIT).toEqual({ "src/a.ts": "changedInDocs" });
});

test("when none can be opened the start fails with the first one's reason", async () => {
  using roots = tempRoots();
  const folders = [roots.shop.dir, roots.docs].map((folder) => indexDir(roots.home, folder));
  const locks = folders.map((folder) => {
    mkdirSync(folder, { recursive: true });
    return lockIndex(folder);
  });
  const refused = await running(roots).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(IndexLockedError);
  expect(String(refused)).toContain(folders[0]);
  for (const lock of locks) lock.release();
});

test("an index that is deleted is rebuilt alone", async () => {
  using roots = tempRoots();
  const { shop, docs } = roots;
  await using at = await running(roots, { lookForIndexMs: 10 });
  await expect
    .poll(() => [roots.symbols(shop.dir), roots.symbols(docs)], WAIT)
    .toEqual([{ "src/a.ts": "inShop" }, { "src/a.ts": "inDocs" }]);
  const [before] = at.workspaces.map((workspace) => workspace.indexer());
  rmSync(indexDir(roots.home, docs), { recursive: true });
  await expect.poll(() => roots.symbols(docs), WAIT).toEqual({ "src/a.ts": "inDocs" });
  expect(at.workspaces[0]?.indexer()).toBe(before);
  expect((await statusOf(at)).shop?.counters.filesParsed).toBe(1);
});
