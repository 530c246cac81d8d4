import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Setup } from "./check.ts";
import { watcher } from "./files.ts";
import { diskSpace, git, gpu, memory } from "./machine.ts";

/** What Ollama has loaded. */
let loaded: object[];
let ollama: FakeServer;
beforeEach(async () => {
  loaded = [];
  ollama = await startFakeServer((_, response) => void response.end(JSON.stringify({ models: loaded })));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await ollama[Symbol.asyncDispose]();
});

/** @param bytes of the model */
const look = (check: typeof memory, bytes = 1_000, config: object = {}) => {
  const engine = { name: "ollama", model: "m" };
  const asked = () => ({ budgetTokens: 2_048, maxTokens: 128 });
  const setup = {
    config: { OLLAMA_HOST: ollama.url, INDEXER_HOST: ollama.url, ...config },
    ...{ running: { now: { engine, asked } }, listed: async () => [{ name: "m:latest", bytes }] },
    ...{ workspaces: [], inCompose: false },
  } as unknown as Setup;
  return check.look(setup, AbortSignal.timeout(5_000));
};

test("a model that no memory here holds is a failure, unless it is loaded all the same", async () => {
  expect(await look(memory)).toMatchObject({ status: "ok" });
  expect(await look(memory, 1e15)).toMatchObject({
    ...{ status: "fail", detail: expect.stringMatching(/^m takes about 1000000\.3 GB; /) },
    fix: expect.stringContaining("dhi model"),
  });
  loaded = [{ name: "m:latest", size: 1e15, size_vram: 1e15 }];
  expect(await look(memory, 1e15)).toMatchObject({ status: "ok" });
});

test("in Compose it is the container's limit that a model has to fit into", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ models: [] }));
  const beside = {
    OLLAMA_HOST: "http://ollama:11434",
    INDEXER_HOST: "http://indexer:8002",
    OLLAMA_MEM_LIMIT: 1e9,
  };
  expect(await look(memory, 1_000, beside)).toMatchObject({
    ...{ status: "ok", detail: expect.stringMatching(/; 1\.0 GB of 1\.0 GB are free in its container$/) },
  });
  expect(await look(memory, 2e9, beside)).toMatchObject({
    ...{ status: "fail", fix: expect.stringContaining("OLLAMA_MEM_LIMIT") },
  });
});

test("a folder that cannot be written is a failure, and one that can is left as it was", async () => {
  using home = tempDir();
  expect(await look(diskSpace, 0, { DHI_HOME: home.dir })).toMatchObject({
    detail: expect.stringMatching(/free for/),
  });
  expect(readdirSync(home.dir)).toEqual([]);
  writeFileSync(join(home.dir, "file"), "");
  const DHI_HOME = join(home.dir, "file");
  expect(await look(diskSpace, 0, { DHI_HOME })).toMatchObject({
    ...{ status: "fail", detail: `${DHI_HOME} cannot be written (ENOTDIR): the index stays as it is` },
    fix: expect.stringContaining(`chown -R "$USER" ${DHI_HOME}`),
  });
});

test("says how much of the model lies in the GPU's memory", async () => {
  loaded = [{ name: "m:latest", size: 100, size_vram: 40 }];
  expect(await look(gpu)).toMatchObject({
    ...{ status: "warn", detail: "40 % of m lie in the GPU's memory", fix: expect.any(String) },
  });
  loaded = [{ name: "m:latest", size: 100, size_vram: 100 }];
  expect(await look(gpu)).toEqual({ status: "ok", detail: "all of m lies in the GPU's memory" });
  loaded = [{ name: "m:latest", size: 100, size_vram: 0 }];
  expect(await look(gpu)).toEqual({
    status: "ok",
    detail: "Ollama sees none that it can use: m runs on the CPU",
  });
});

test("an indexer that polls needs no watched folders", async () => {
  expect(await look(watcher, 0, { WATCH_POLLING: true })).toEqual({
    ...{ status: "ok", detail: "asks the file system again and again (WATCH_POLLING)" },
  });
});

test("a git that is missing is told from one that fails or takes too long", async () => {
  using folder = tempDir();
  vi.stubEnv("PATH", folder.dir);
  const here = { INDEXER_HOST: "http://127.0.0.1:8002" };
  expect(await look(git, 0, here)).toMatchObject({
    status: "warn",
    detail: expect.stringMatching(/^not found/),
  });
  const file = join(folder.dir, "git");
  writeFileSync(file, "#!/bin/sh\necho broken >&2; exit 1\n");
  chmodSync(file, 0o755);
  await expect(look(git, 0, here)).rejects.toThrow("broken");
  writeFileSync(file, "#!/bin/sh\nexec /bin/sleep 30\n");
  const setup = { config: here, inCompose: false } as unknown as Setup;
  await expect(async () => git.look(setup, AbortSignal.timeout(100))).rejects.toThrow(/timeout/);
});
