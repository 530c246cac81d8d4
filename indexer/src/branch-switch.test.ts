/** A branch switch over hundreds of files: seen whole, and paid for once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createLogger } from "@dhi/core/log";
import { closedPort } from "@dhi/core/testing/fake-server";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { startIndexer } from "./start-indexer.ts";
import { expectedIndex, liveIndex } from "./testing/expected-index.ts";
import { tempIndexer } from "./testing/temp-indexer.ts";

const FILES = 250;
const POLL = { timeout: 20_000, interval: 20 };

/** Branches `main` and `side` that differ in every file, and each has some of its own. */
function repoOfTwoBranches(): TempRepo {
  const filesOf = (branch: string) =>
    Array.from({ length: FILES }, (_, i): [string, string] => [
      i % 10 ? `src/f${i}.ts` : `src/${branch}/f${i}.ts`,
      `export const ${branch}${i} = ${i};\n`,
    ]);
  const repo = tempRepo(Object.fromEntries(filesOf("main")));
  repo.commit();
  repo.git("checkout", "-qb", "side");
  repo.remove("src");
  for (const [path, content] of filesOf("side")) repo.write(path, content);
  repo.commit();
  repo.git("checkout", "-q", "main");
  return repo;
}

const READER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const db = new (require("better-sqlite3"))(workerData.file, { readonly: true });
  const all = db.prepare("SELECT path, blob FROM live JOIN blobs ON blobs.id = blob_id ORDER BY path").raw();
  const seen = new Set();
  const stop = new Int32Array(workerData.stop);
  parentPort.postMessage("reading");
  do seen.add(JSON.stringify(all.all())); while (!Atomics.load(stop, 0));
  parentPort.postMessage([...seen]);`;

/** Another thread with another connection, which looks as often as it can. */
async function startReader(file: string) {
  const stop = new SharedArrayBuffer(4);
  const worker = new Worker(READER, { eval: true, workerData: { file, stop } });
  await once(worker, "message");
  return {
    /** @returns every tree that it saw */
    async stop(): Promise<Record<string, string>[]> {
      Atomics.store(new Int32Array(stop), 0, 1);
      const [seen] = await once(worker, "message");
      await worker.terminate();
      return seen.map((rows: string) => Object.fromEntries(JSON.parse(rows)));
    },
  };
}

test("a reader sees the one tree or the other, also when comparisons run into the checkout", async () => {
  using repo = repoOfTwoBranches();
  const main = expectedIndex(repo.dir);
  await using at = await tempIndexer(repo.dir, { watch: true });
  await expect.poll(() => liveIndex(at.db), POLL).toEqual(main);
  let side = main;
  const reader = await startReader(at.db.name);
  for (const branch of ["side", "main", "side", "main"]) {
    const checkout = spawn("git", ["checkout", "-q", branch], { cwd: repo.dir, stdio: "ignore" });
    const end = once(checkout, "exit");
    let isRunning = true;
    void end.then(() => {
      isRunning = false;
    });
    // Comparisons of everything and looks at single files, whatever git is doing.
    while (isRunning) {
      at.indexer.syncPaths([""]);
      at.indexer.syncPaths(["src/f1.ts", "src/f249.ts"]);
      await sleep(3);
    }
    await end;
    const now = expectedIndex(repo.dir);
    if (branch === "side") side = now;
    await expect.poll(() => liveIndex(at.db), POLL).toEqual(now);
    await at.indexer.idle();
    expect(liveIndex(at.db)).toEqual(now);
  }
  const seen = await reader.stop();
  expect(seen.length).toBeGreaterThan(1);
  const nameOf = (tree: Record<string, string>) =>
    JSON.stringify(tree) === sorted(main)
      ? "main"
      : JSON.stringify(tree) === sorted(side)
        ? "side"
        : "a mixture";
  expect([...new Set(seen.map(nameOf))].sort()).toEqual(["main", "side"]);
});

const sorted = (tree: Record<string, string>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1))));

test("switching back parses and embeds nothing", async () => {
  using repo = repoOfTwoBranches();
  using home = tempDir();
  const nobody = `127.0.0.1:${await closedPort()}`;
  const config = readConfig({
    ...{ WORKSPACE: repo.dir, DHI_HOME: home.dir, INDEXER_PORT: "0", EMBEDDER: "hash" },
    ...{ CHROMA_HOST: nobody, OLLAMA_HOST: nobody },
  });
  const started = await startIndexer(config, createLogger("test", "silent"));
  await started.watching;
  const indexer = started.workspaces[0]!.indexer();
  const counters = () => indexer.status().counters;
  const settled = (parsed: number) =>
    expect
      .poll(() => [counters(), indexer.status().pendingEmbeddings, indexer.isSyncing()], POLL)
      .toEqual([{ filesParsed: parsed, textsEmbedded: parsed }, 0, false]);
  try {
    await settled(FILES);
    repo.git("checkout", "-q", "side");
    await settled(2 * FILES);
    for (const branch of ["main", "side", "main"]) {
      repo.git("checkout", "-q", branch);
      const isThere = () => indexer.explain(`src/${branch}/f0.ts`).then((answer) => answer.indexed);
      await expect.poll(isThere, POLL).toBe(true);
      await settled(2 * FILES);
    }
  } finally {
    await started.close();
  }
});
