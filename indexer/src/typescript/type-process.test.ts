import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempRepo } from "@dhi/core/testing/temp-repo";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { LookRequest } from "./facts.ts";
import { createTypeProcess, type TypeProcess, type TypeProcessOptions } from "./type-process.ts";

/** Node 20 runs no TypeScript; packages are found from where the file lies. */
const file = resolve(import.meta.dirname, `../../node_modules/.dhi-test/child-${process.pid}.mjs`);
beforeAll(async () => {
  mkdirSync(join(file, ".."), { recursive: true });
  await build({
    ...{
      entryPoints: [join(import.meta.dirname, "child.ts")],
      outfile: file,
      bundle: true,
      logLevel: "error",
    },
    ...{
      platform: "node",
      format: "esm",
      conditions: ["source"],
      external: ["typescript", "web-tree-sitter"],
    },
  });
});
afterAll(() => rmSync(file, { force: true }));

// Starting a process that reads a library is slow on a machine with other work, and nothing here is about time.
vi.setConfig({ testTimeout: 120_000 });

const never = new AbortController().signal;
const requestFor = (root: string, path = "a.ts"): LookRequest => ({
  root,
  session: "s",
  path,
  epoch: 1,
  without: [],
});
const settings = JSON.stringify({ compilerOptions: { lib: ["es5"], types: [] } });

function start(options: Partial<TypeProcessOptions> = {}): TypeProcess & AsyncDisposable {
  const process = createTypeProcess({ memoryMb: 512, file, ...options });
  return { ...process, [Symbol.asyncDispose]: process.close };
}

test("it answers what the reader answers, one after the other, and ends when it is closed", async () => {
  using repo = tempRepo({
    "tsconfig.json": settings,
    "a.ts": "export const a = [1];\n",
    "b.ts": "let b = '';\n",
  });
  await using typescript = start();
  const answers = await Promise.all(
    ["a.ts", "b.ts"].map((path) => typescript.look(requestFor(repo.dir, path), never)),
  );
  expect(
    answers.map((a) => a.kind === "facts" && a.names.map(({ name, type }) => `${name}: ${type}`)),
  ).toEqual([["a: number[]"], ["b: string"]]);
  const pid = typescript.pid();
  expect(isAlive(pid)).toBe(true);
  await typescript.close();
  expect(isAlive(pid)).toBe(false);
});

test("killed while it works it says so, and the next look has a new one", async () => {
  using repo = tempRepo({ "tsconfig.json": settings, "a.ts": "export const a = 1;\n" });
  await using typescript = start();
  await typescript.look(requestFor(repo.dir), never);
  const pid = typescript.pid()!;
  process.kill(pid, "SIGSTOP");
  const answer = typescript.look(requestFor(repo.dir), never);
  process.kill(pid, "SIGKILL");
  await expect(answer).rejects.toMatchObject({
    name: "LookError",
    kind: "crash",
    message: "it ended with SIGKILL",
  });
  expect(await typescript.look(requestFor(repo.dir), never)).toMatchObject({ kind: "facts" });
});

test("a project that bursts its heap is named", async () => {
  const types = Array.from(
    { length: 20_000 },
    (_, i) => `export interface T${i} { a: T0[]; b: { c: T1 } }\n`,
  ).join("");
  const large = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`types-${i}.d.ts`, types]));
  using repo = tempRepo({ "tsconfig.json": settings, "a.ts": "export {};", ...large });
  await using typescript = start({ memoryMb: 64 });
  await expect(typescript.look(requestFor(repo.dir), never)).rejects.toMatchObject({
    ...{ kind: "memory", project: "tsconfig.json", message: "it needs more than 64 MB" },
  });
});

test("what takes too long is ended", async () => {
  using repo = tempRepo({ "tsconfig.json": settings, "a.ts": "" });
  await using typescript = start({ timeoutMs: 1 });
  await expect(typescript.look(requestFor(repo.dir), never)).rejects.toMatchObject({ kind: "crash" });
});

test("who gives up gets the signal's reason, at once", async () => {
  using repo = tempRepo({ "tsconfig.json": settings, "a.ts": "" });
  await using typescript = start();
  const first = typescript.look(requestFor(repo.dir), never);
  await expect(typescript.look(requestFor(repo.dir), AbortSignal.abort("enough"))).rejects.toBe("enough");
  expect(await first).toMatchObject({ kind: "facts" });
});

test("it ends when it was not asked for a while, and comes back", async () => {
  using repo = tempRepo({ "tsconfig.json": settings, "a.ts": "" });
  await using typescript = start({ idleMs: 1 });
  await typescript.look(requestFor(repo.dir), never);
  await expect.poll(typescript.pid, { timeout: 10_000 }).toBe(undefined);
  expect(await typescript.look(requestFor(repo.dir), never)).toMatchObject({ kind: "facts" });
});

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}
