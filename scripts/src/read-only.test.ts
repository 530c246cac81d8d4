/** The promise that nothing of Dhi writes into a workspace or its `.git`, kept while everything is asked of it. */
import { createHash } from "node:crypto";
import { type FSWatcher, lstatSync, readdirSync, readFileSync, utimesSync, watch } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createLogger } from "@dhi/core/log";
import type { StatusResponse } from "@dhi/core/protocol";
import { closedPort } from "@dhi/core/testing/fake-server";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { readConfig as readIndexerConfig } from "@dhi/indexer/config";
import { startIndexer } from "@dhi/indexer/start-indexer";
import { readConfig as readServerConfig } from "@dhi/server/config";
import { startServer } from "@dhi/server/start-server";
import { expect, test } from "vitest";

const WAIT = { timeout: 20_000, interval: 50 };
const log = createLogger("test", "silent");

/** Content, kind and times of everything beneath, `.git` included; what git says of refs, stashes and reflogs. */
function stateOf(repo: ReturnType<typeof tempRepo>): object {
  const files = everythingIn(repo.dir).map((path) => {
    const stat = lstatSync(join(repo.dir, path));
    const hash = createHash("sha1").update(stat.isFile() ? readFileSync(join(repo.dir, path)) : "");
    return `${path} ${stat.mode} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino} ${hash.digest("hex")}`;
  });
  const said = [["show-ref"], ["stash", "list"], ["reflog", "--all"], ["config", "--list"]];
  return { files, said: said.map((args) => repo.git(...args)) };
}

const everythingIn = (dir: string): string[] => readdirSync(dir, { recursive: true }).map(String).sort();

/** Names that appear or change in any folder, however briefly. */
function watchEverything(dir: string) {
  const seen: string[] = [];
  const folders = ["", ...everythingIn(dir).filter((path) => lstatSync(join(dir, path)).isDirectory())];
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(join(dir, folder), (_event, name) => void seen.push(join(folder, name ?? ""))),
  );
  return {
    seen,
    close() {
      for (const watcher of watchers) watcher.close();
    },
  };
}

test("indexing, watching, explaining, searching and completing write nothing into the workspace or its .git", async () => {
  using lib = tempRepo({ "lib.ts": "export const lib = 1;\n" });
  lib.commit();
  using repo = tempRepo({
    "src/a.ts": "export function totalOf(lines: number[]): number {\n  return lines.length;\n}\n",
    "src/b.ts": "export const b = 1;\n",
    "src/gen.ts": "export const gen = 1;\n",
    ".gitattributes": "src/gen.ts linguist-generated\n*.ts text\n",
    ".gitignore": "*.log\n",
    ".dhiignore": "data/\n",
    "data/d.sql": "1\n",
    "x.log": "1\n",
  });
  repo.commit();
  repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "lib");
  repo.commit();
  repo.write("src/b.ts", "export const b = 2;\n");
  repo.git("stash", "-q");
  repo.write("untracked.ts", "export const u = 1;\n");
  // What git likes to write: it keeps what it found in its index, and here all it knows is out of date.
  repo.git("config", "core.untrackedCache", "true");
  for (const path of ["src/a.ts", "src/b.ts", "data/d.sql"])
    utimesSync(join(repo.dir, path), new Date(), new Date());
  const before = stateOf(repo);
  const watched = watchEverything(repo.dir);

  using home = tempDir();
  const nobody = `127.0.0.1:${await closedPort()}`;
  const settings = {
    ...{ WORKSPACE: repo.dir, DHI_HOME: home.dir, EMBEDDER: "hash", ENGINE: "instant", INDEXER_PORT: "0" },
    ...{ CHROMA_HOST: nobody, OLLAMA_HOST: nobody, DHI_PORT: "0" },
  };
  const indexer = await startIndexer(readIndexerConfig(settings), log);
  const server = await startServer(readServerConfig({ ...settings, INDEXER_HOST: indexer.url }), log);
  try {
    const url = `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`;
    const ask = async <T>(path: string, body?: object) => {
      const init = body && { method: "POST", body: JSON.stringify(body) };
      return (await (await fetch(url + path, init)).json()) as T;
    };
    await indexer.watching;
    const search = async () =>
      (await ask<{ results: unknown[] }>("/search", { query: "totalOf" })).results.length;
    await expect.poll(search, WAIT).toBeGreaterThan(0);
    for (const path of [
      "src/a.ts",
      "x.log",
      "data/d.sql",
      "src/gen.ts",
      "lib/lib.ts",
      "lib",
      "gone",
      "src",
      ".",
    ])
      await ask(`/v1/explain?path=${path}`);
    await ask("/index", { file_path: "src/a.ts" });
    await ask("/index", { file_path: "src/a.ts", content: "export const other = 1;\n" });
    await ask("/v1/documents", { path: "src/b.ts", version: 1, content: "export const unsaved = 1;\n" });
    await ask("/complete", { file_path: "src/c.ts", prefix: "const t = tot", suffix: "\n" });
    await ask("/index-dir", {});
    const jobEnd = async () => (await ask<StatusResponse>("/v1/status")).indexer?.job?.state;
    await expect.poll(jobEnd, WAIT).toBe("done");
  } finally {
    await server.close();
    await indexer.close();
  }

  expect(watched.seen).toEqual([]);
  expect(stateOf(repo)).toEqual(before);
  // Git itself, asked the usual way, does write: the watch would have seen it.
  repo.git("status");
  await expect.poll(() => watched.seen, WAIT).toContain(".git/index.lock");
  watched.close();
});
