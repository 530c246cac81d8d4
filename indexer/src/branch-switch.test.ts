/** A branch switch over hundreds of files: seen whole, and paid for once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { createLogger } from "@dhi/core/log";
import { closedPort } from "@dhi/core/testing/fake-server";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { createPruner, usualLimits } from "./prune.ts";
import { startIndexer } from "./start-indexer.ts";
import { expectedIndex, liveIndex } from "./testing/expected-index.ts";
import { tempIndexer, workTreeOf } from "./testing/temp-indexer.ts";
import { fakeChroma } from "./testing/temp-vectors.ts";
import { createVectorSync } from "./vectors/vector-sync.ts";

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

test("with half of the files different and the pruner at work, there and back twice costs nothing", async () => {
  const files = Array.from({ length: 60 }, (_, i) => `src/f${i}.ts`);
  const text = (version: string, path: string) => `// ${path}\n${`let ${version} = 1;\n`.repeat(20)}`;
  using repo = tempRepo(Object.fromEntries(files.map((path) => [path, text("main", path)])));
  repo.commit();
  repo.git("checkout", "-qb", "side");
  for (const path of files.slice(0, 30)) repo.write(path, text("side", path));
  repo.commit();
  repo.git("checkout", "-qb", "few");
  repo.git("rm", "-q", ...files.slice(1));
  repo.commit();
  repo.git("checkout", "-q", "main");

  await using at = await tempIndexer(repo.dir);
  const vectors = createVectorSync({
    ...{ db: at.db, embedder: createHashEmbedder(), embedderDetail: "", openStore: fakeChroma().open },
    collection: { name: "c", prefix: "c" },
    log: { info() {}, warn() {} },
  });
  const { prune } = createPruner({
    ...{ db: at.db, isBusy: () => false, embedder: () => undefined },
    limits: { ...usualLimits, deadBytes: 0, keepSeconds: -1, fewBlobs: 0 },
  });
  const contents = () => at.db.prepare("SELECT count(*) FROM blobs").pluck().get();
  async function cost(): Promise<{ parsed: number; embedded: number }> {
    await at.sync();
    vectors.kick();
    await vectors.idle();
    await prune(new AbortController().signal);
    return { parsed: at.parsed(), embedded: vectors.status().textsEmbedded };
  }
  async function costOf(branch: string) {
    repo.git("checkout", "-q", branch);
    const found = await cost();
    expect(at.indexed()).toEqual(workTreeOf(repo.dir));
    return found;
  }
  try {
    await cost();
    const first = await costOf("side");
    expect(first).toEqual({ parsed: 90, embedded: 90 });
    for (const branch of ["main", "side", "main"]) expect(await costOf(branch)).toEqual(first);
    // A tree of one file is no measure of what may stay.
    for (const branch of ["few", "main"]) expect(await costOf(branch)).toEqual(first);

    // What saves leave behind goes all the same, and before what git can bring back.
    for (let round = 0; round < 3; round++) {
      for (const path of files) repo.write(path, text(`round${round}`, path));
      await cost();
    }
    repo.git("checkout", "-q", ".");
    expect(contents()).toBeLessThan(90 + 0.3 * 60 + 60);
    const { parsed, embedded } = await cost();
    expect(await costOf("side")).toEqual({ parsed, embedded });
  } finally {
    await vectors.close();
  }
});

test("of a tree that was left for a smaller one, as much as is live stays in the end, and what is missing comes back", async () => {
  const text = (i: number) => `export const value${i} = ${i};\n`.padEnd(100, "/");
  const files = Array.from({ length: 40 }, (_, i): [string, string] => [`src/f${i}.ts`, text(i)]);
  using repo = tempRepo(Object.fromEntries(files));
  repo.commit();
  repo.git("checkout", "-qb", "few");
  repo.git("rm", "-q", ...files.slice(10).map(([path]) => path));
  repo.commit();
  repo.git("checkout", "-q", "main");
  await using at = await tempIndexer(repo.dir);
  repo.git("checkout", "-q", "few");
  await at.sync();
  const bytes = () =>
    at.db.prepare("SELECT sum(bytes) FROM blobs WHERE id NOT IN (SELECT blob_id FROM live)").pluck().get();
  const limits = { ...usualLimits, deadBytes: 0, keepSeconds: -1, fewBlobs: 0 };
  const deps = { db: at.db, isBusy: () => false, embedder: () => undefined };
  await createPruner({ ...deps, limits }).prune(new AbortController().signal);
  expect(bytes()).toBe(3_000);
  await createPruner({ ...deps, limits: { ...limits, keepMoveSeconds: 0 } }).prune(
    new AbortController().signal,
  );
  expect(bytes()).toBe(700);
  repo.git("checkout", "-q", "main");
  await at.sync();
  expect(at.indexed()).toEqual(workTreeOf(repo.dir));
  expect(at.parsed()).toBe(40 + 23);
});

test("what was saved while the index was closed counts as saved, and what git did meanwhile as moved", async () => {
  using repo = tempRepo({ "a.ts": "old a\n", "b.ts": "old b\n" });
  repo.commit();
  using state = tempDir();
  const movedAfter = async (change: () => void) => {
    const open = () => tempIndexer(repo.dir, { dir: state.dir });
    await (await open())[Symbol.asyncDispose]();
    change();
    await using at = await open();
    const moved = at.db.prepare(
      "SELECT text FROM texts JOIN chunks ON text_id = texts.id JOIN blobs ON blobs.id = blob_id WHERE moved_at > 0 ORDER BY text",
    );
    return moved.pluck().all();
  };
  expect(await movedAfter(() => repo.write("a.ts", "saved a\n"))).toEqual([]);
  repo.git("checkout", "-qb", "side");
  repo.write("b.ts", "side b\n");
  repo.commit();
  expect(await movedAfter(() => repo.git("checkout", "-q", "main"))).toEqual([
    ...["old a\n", "old b\n", "saved a\n", "side b\n"],
  ]);
});

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
