import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { indexDir, openIndexForReading } from "@dhi/core/index-db";
import { type IndexerStatus, indexerResponse } from "@dhi/core/protocol";
import { closedPort } from "@dhi/core/testing/fake-server";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildIndexer, startProcess } from "./testing/indexer-process.ts";

let main: string;
let nobody: string;
beforeAll(async () => {
  main = await buildIndexer();
  nobody = `127.0.0.1:${await closedPort()}`;
});
afterAll(() => rmSync(main, { force: true }));

const envFor = (workspace: string, home: string) => ({
  ...{ WORKSPACE: workspace, DHI_HOME: home, INDEXER_PORT: "0", EMBEDDER: "hash", CHROMA_HOST: nobody },
});

async function inStep(url: string): Promise<IndexerStatus> {
  for (;;) {
    const [status] = indexerResponse.parse(await (await fetch(`${url}/status`)).json()).workspaces;
    if (status?.job?.state === "done") return status;
  }
}

test("TypeScript, half a second and 60 MB, is loaded by the process that needs it alone", () => {
  const code = readFileSync(main, "utf8");
  expect(code).toMatch(/from "better-sqlite3"/);
  expect(code).not.toMatch(/(?:from|import) ?\(?"typescript"/);
});

test("bad settings end it with one line per variable and code 2", async () => {
  const { code, stderr } = await startProcess(main, { INDEXER_PORT: "many", MAX_FILE_BYTES: "0" }).exited();
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^dhi indexer: bad settings:\n {2}INDEXER_PORT=many: .*\n {2}MAX_FILE_BYTES=0: .*\n$/,
  );
});

test("a missing workspace ends it with one line and code 2", async () => {
  using home = tempDir();
  const missing = join(home.dir, "nowhere");
  expect(await startProcess(main, envFor(missing, home.dir)).exited()).toEqual({
    ...{ code: 2, stderr: `dhi indexer: WORKSPACE=${missing} does not exist\n` },
  });
});

test("a second process is refused with the pid of the first and code 3; SIGTERM ends the first with 0", async () => {
  using repo = tempRepo({ "a.ts": "export const a = 1;\n" });
  using home = tempDir();
  const first = startProcess(main, envFor(repo.dir, home.dir));
  await first.listening();
  const { code, stderr } = await startProcess(main, envFor(repo.dir, home.dir)).exited();
  expect(code).toBe(3);
  expect(stderr).toContain(`process ${first.child.pid}`);
  first.child.kill("SIGTERM");
  expect(await first.exited()).toEqual({ code: 0, stderr: "" });
});

test("after SIGKILL in the middle of the first sync the next start does only the rest", async () => {
  const total = 150;
  using repo = tempRepo(
    Object.fromEntries(
      Array.from({ length: total }, (_, i) => [`src/f${i}.ts`, `export function f${i}() {}\n`.repeat(20)]),
    ),
  );
  using home = tempDir();
  const killed = startProcess(main, envFor(repo.dir, home.dir));
  await killed.listening();
  await expect
    .poll(() => blobsIn(indexDir(home.dir, repo.dir)), { interval: 2, timeout: 20_000 })
    .toBeGreaterThan(20);
  killed.child.kill("SIGKILL");
  await killed.exited();
  const done = blobsIn(indexDir(home.dir, repo.dir));
  expect(done).toBeLessThan(total);

  const next = startProcess(main, envFor(repo.dir, home.dir));
  const status = await inStep(await next.listening());
  expect(status).toMatchObject({ files: total, counters: { filesParsed: total - done } });
  expect(next.log.filter(({ msg }) => msg.includes("damaged"))).toEqual([]);
  next.child.kill("SIGINT");
  expect((await next.exited()).code).toBe(0);
});

test("after SIGKILL the next start has files again in place of unsaved buffers", async () => {
  using repo = tempRepo({ "a.ts": "export const saved = 1;\n" });
  using home = tempDir();
  const symbols = () => {
    const db = openIndexForReading(indexDir(home.dir, repo.dir));
    const names = db
      ?.prepare("SELECT name FROM live JOIN symbols USING (blob_id) ORDER BY name")
      .pluck()
      .all();
    db?.close();
    return names;
  };
  const killed = startProcess(main, envFor(repo.dir, home.dir));
  const url = await killed.listening();
  await inStep(url);
  for (const path of ["a.ts", "new.ts"]) {
    const body = JSON.stringify({ path, version: 1, content: `export const typed${path.length} = 1;\n` });
    await fetch(`${url}/documents`, { method: "POST", body });
  }
  expect(symbols()).toEqual(["typed4", "typed6"]);
  killed.child.kill("SIGKILL");
  await killed.exited();

  const next = startProcess(main, envFor(repo.dir, home.dir));
  await inStep(await next.listening());
  expect(symbols()).toEqual(["saved"]);
  next.child.kill("SIGTERM");
  await next.exited();
});

test("an index whose folder is deleted while it runs is built again", async () => {
  using repo = tempRepo({ "a.ts": "export const a = 1;\n" });
  using home = tempDir();
  const { child, listening, exited } = startProcess(main, envFor(repo.dir, home.dir));
  await inStep(await listening());
  rmSync(home.dir, { recursive: true });
  await expect.poll(() => blobsIn(indexDir(home.dir, repo.dir)), { timeout: 10_000 }).toBe(1);
  child.kill("SIGTERM");
  expect(await exited()).toEqual({ code: 0, stderr: "" });
});

function blobsIn(dir: string): number {
  const db = openIndexForReading(dir);
  try {
    return Number(db?.prepare("SELECT count(*) FROM blobs").pluck().get() ?? 0);
  } finally {
    db?.close();
  }
}
