/** What counts in a tree besides git's own list, and that a change of it is noticed. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { expectedIndex, liveIndex } from "./testing/expected-index.ts";
import { type TempIndexer, tempIndexer, workTreeOf } from "./testing/temp-indexer.ts";
import { createWorkTree } from "./work-tree.ts";

const NEVER_MS = 2 ** 30;
const fakeDeafWatcher = async () => ({ setIgnored: async () => {}, close: async () => {} });
/** No event ever, and no comparison but for what the stats of a few files tell. */
const deaf = { every: { headMs: 20, compareMs: NEVER_MS, blindCompareMs: NEVER_MS }, watch: fakeDeafWatcher };
const paths = (at: TempIndexer) => Object.keys(liveIndex(at.db)).sort();
const POLL = { timeout: 10_000, interval: 20 };

describe("without any event it is noticed that", () => {
  test("the .gitignore above the workspace changes, and the attributes there", async () => {
    using repo = tempRepo({ "pkg/a.ts": "a\n", "pkg/b.ts": "b\n" });
    repo.commit();
    repo.write("pkg/c.ts", "c\n");
    await using at = await tempIndexer(join(repo.dir, "pkg"), { watch: deaf });
    repo.write(".gitignore", "c.ts\n");
    await expect.poll(() => paths(at), POLL).toEqual(["a.ts", "b.ts"]);
    repo.write(".gitattributes", "b.ts linguist-generated\n");
    await expect.poll(() => liveIndex(at.db)["b.ts"], POLL).toBe("generated");
  });

  test("the user's own excludes file changes, or is named", async () => {
    using repo = tempRepo({ "a.ts": "a\n", "b.ts": "b\n", "c.ts": "c\n" });
    using outside = tempDir();
    const user = join(outside.dir, "ignore");
    repo.git("config", "core.excludesFile", user);
    await using at = await tempIndexer(repo.dir, { watch: deaf });
    writeFileSync(user, "a.ts\n");
    await expect.poll(() => paths(at), POLL).toEqual(["b.ts", "c.ts"]);
    const other = join(outside.dir, "other");
    writeFileSync(other, "b.ts\n");
    repo.git("config", "core.excludesFile", other);
    await expect.poll(() => paths(at), POLL).toEqual(["a.ts", "c.ts"]);
    writeFileSync(other, "c.ts\n");
    await expect.poll(() => paths(at), POLL).toEqual(["a.ts", "b.ts"]);
  });

  test("the user's excludes file lies where git looks for it by itself", async () => {
    using repo = tempRepo({ "a.ts": "a\n", "b.ts": "b\n" });
    using home = tempDir();
    vi.stubEnv("XDG_CONFIG_HOME", home.dir);
    try {
      await using at = await tempIndexer(repo.dir, { watch: deaf });
      mkdirSync(join(home.dir, "git"));
      writeFileSync(join(home.dir, "git/ignore"), "a.ts\n");
      await expect.poll(() => paths(at), POLL).toEqual(["b.ts"]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("a plain folder becomes a repository, and stops being one", async () => {
    using repo = tempRepo({ "a.ts": "a\n", "dist/d.ts": "d\n" });
    renameSync(join(repo.dir, ".git"), join(repo.dir, "dist/away"));
    await using at = await tempIndexer(repo.dir, { watch: deaf });
    expect(paths(at)).toEqual(["a.ts"]);
    renameSync(join(repo.dir, "dist/away"), join(repo.dir, ".git"));
    await expect.poll(() => paths(at), POLL).toEqual(["a.ts", "dist/d.ts"]);
    rmSync(join(repo.dir, ".git"), { recursive: true });
    await expect.poll(() => paths(at), POLL).toEqual(["a.ts"]);
  });

  test("a submodule is moved to another commit", async () => {
    using lib = tempRepo({ "lib.ts": "one\n" });
    lib.commit();
    using repo = tempRepo({ "a.ts": "a\n" });
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "lib");
    await using at = await tempIndexer(repo.dir, { watch: deaf });
    lib.write("lib.ts", "two\n");
    lib.commit();
    const before = expectedIndex(repo.dir);
    repo.git("-c", "protocol.file.allow=always", "submodule", "-q", "update", "--remote");
    expect(expectedIndex(repo.dir)).not.toEqual(before);
    await expect.poll(() => liveIndex(at.db), POLL).toEqual(expectedIndex(repo.dir));
  });
});

test("with events, git init and the end of a repository are followed", async () => {
  using repo = tempRepo({ "a.ts": "a\n", "dist/d.ts": "d\n" });
  using away = tempDir();
  renameSync(join(repo.dir, ".git"), join(away.dir, "git"));
  const every = { headMs: NEVER_MS, compareMs: NEVER_MS, blindCompareMs: NEVER_MS };
  await using at = await tempIndexer(repo.dir, { watch: { every } });
  repo.git("init", "-q");
  await expect.poll(() => paths(at), POLL).toEqual(["a.ts", "dist/d.ts"]);
  rmSync(join(repo.dir, ".git"), { recursive: true });
  await expect.poll(() => paths(at), POLL).toEqual(["a.ts"]);
});

test("a workspace that is a linked worktree follows its own checkouts, not those of the main one", async () => {
  using repo = tempRepo({ "a.ts": "main\n" });
  repo.commit();
  using elsewhere = tempDir();
  const dir = join(elsewhere.dir, "linked");
  repo.git("worktree", "add", "-q", "-b", "linked", dir);
  await using at = await tempIndexer(dir, { watch: deaf });
  writeFileSync(join(dir, "b.ts"), "linked\n");
  repo.git("-C", dir, "add", "-A");
  repo.git("-C", dir, "commit", "-qm", "b");
  await expect.poll(() => paths(at), POLL).toEqual(["a.ts", "b.ts"]);
  repo.git("-C", dir, "checkout", "-q", "--detach", "main");
  await expect.poll(() => paths(at), POLL).toEqual(["a.ts"]);
});

test("a linked worktree of the same repository inside the workspace stays out, and says what it is", async () => {
  using repo = tempRepo({ "a.ts": "a\n" });
  repo.commit();
  repo.git("worktree", "add", "-q", "inside");
  await using at = await tempIndexer(repo.dir);
  expect(liveIndex(at.db)).toEqual({ ...workTreeOf(repo.dir, ["inside"]), inside: "not-a-file" });
  expect((await at.indexer.explain("inside")).detail).toMatch(/^a linked worktree of this repository/);
  expect(await at.indexer.explain("inside/a.ts")).toMatchObject({
    ...{
      skipped: "ignored",
      detail: expect.stringMatching(/^inside is a linked worktree of this repository/),
    },
  });
  expect(await at.tree.ignoredFolders()).toEqual(["inside"]);
});

test("what is left out is known before anything is watched", async () => {
  using repo = tempRepo({ "a.ts": "a\n", "data/d.sql": "d\n", ".dhiignore": "data/\n" });
  repo.commit();
  repo.git("worktree", "add", "-q", "inside");
  const tree = createWorkTree({
    root: repo.dir,
    stateFolder: undefined,
    maxFileBytes: 1e6,
    log: { warn() {} },
  });
  await tree.refresh();
  expect((await tree.ignoredFolders()).sort()).toEqual(["data", "inside"]);
});

test("a nested repository that is ignored from now on is forgotten, also by a look at one of its files", async () => {
  using repo = tempRepo({ "a.ts": "a\n" });
  using other = tempRepo({ "lib.ts": "lib\n" });
  other.commit();
  renameSync(other.dir, join(repo.dir, "vendor"));
  await using at = await tempIndexer(repo.dir);
  expect(paths(at)).toEqual(["a.ts", "vendor/lib.ts"]);
  repo.write(".git/info/exclude", "vendor/\n");
  await at.sync();
  expect(paths(at)).toEqual(["a.ts"]);
  repo.write("vendor/lib.ts", "changed\n");
  at.indexer.syncPaths(["vendor/lib.ts"]);
  await at.indexer.idle();
  expect(paths(at)).toEqual(["a.ts"]);
});

describe(".dhiignore", () => {
  const files = {
    "a.ts": "a\n",
    "data/big.sql": "1\n",
    "data/keep/x.sql": "2\n",
    "pkg/gen/g.ts": "3\n",
    "pkg/own.ts": "4\n",
    "x.log": "5\n",
    ".gitignore": "*.log\n",
  };
  const start = [".gitignore", "a.ts", "data/big.sql", "data/keep/x.sql", "pkg/gen/g.ts", "pkg/own.ts"];
  let repo: ReturnType<typeof tempRepo>;
  let at: TempIndexer;
  beforeEach(async () => {
    repo = tempRepo(files);
    repo.commit();
    at = await tempIndexer(repo.dir, { watch: { every: { ...deaf.every, headMs: NEVER_MS } } });
    expect(paths(at)).toEqual(start);
  });
  afterEach(async () => {
    await at[Symbol.asyncDispose]();
    repo[Symbol.dispose]();
  });
  const without = (...gone: string[]) =>
    [".dhiignore", ...start].filter((path) => !gone.some((g) => path.startsWith(g)));

  test("leaves out tracked files as it is written, changed and removed", async () => {
    repo.write(".dhiignore", "*.sql\n!data/keep/*.sql\n");
    await expect.poll(() => paths(at), POLL).toEqual(without("data/big.sql"));
    repo.write(".dhiignore", "/pkg/\n");
    await expect.poll(() => paths(at), POLL).toEqual(without("pkg/"));
    // Not watched while it was left out.
    repo.write("pkg/own.ts", "changed\n");
    repo.remove(".dhiignore");
    await expect.poll(() => liveIndex(at.db), POLL).toEqual(expectedIndex(repo.dir));
    repo.write("pkg/own.ts", "changed again\n");
    await expect.poll(() => liveIndex(at.db), POLL).toEqual(expectedIndex(repo.dir));
  });

  test("holds from the folder that it is in, and cannot bring back what git ignores", async () => {
    repo.write("pkg/.dhiignore", "/gen\n!*.log\n");
    repo.write(".dhiignore", "!x.log\n");
    await expect
      .poll(() => paths(at), POLL)
      .toEqual([".dhiignore", ...start, "pkg/.dhiignore"].filter((p) => p !== "pkg/gen/g.ts").sort());
    repo.write("pkg/.dhiignore", "own.ts\n");
    await expect.poll(() => paths(at), POLL).toContain("pkg/gen/g.ts");
    expect(paths(at)).not.toContain("pkg/own.ts");
  });

  test("holds for content that a client sends, and its folders are not watched", async () => {
    repo.write(".dhiignore", "pkg/\n");
    await expect.poll(() => paths(at), POLL).toEqual(without("pkg/"));
    expect(await at.indexer.indexNow("pkg/new.ts", "export {};\n")).toEqual({
      indexed: 0,
      skipped: "ignored",
    });
    expect(await at.tree.ignoredFolders()).toEqual(["pkg"]);
  });

  test("holds in nested repositories and in folders without git", async () => {
    using other = tempRepo({ "lib.ts": "lib\n", "gen.ts": "gen\n" });
    renameSync(other.dir, join(repo.dir, "vendor"));
    repo.write(".dhiignore", "gen.ts\n");
    await expect.poll(() => paths(at), POLL).toEqual([...without(), "vendor/lib.ts"]);
    repo.write(".dhiignore", "/vendor\n");
    await expect.poll(() => paths(at), POLL).toEqual(without());
    rmSync(join(repo.dir, ".git"), { recursive: true });
    repo.write(".dhiignore", "data\n");
    await expect
      .poll(() => paths(at), POLL)
      .toEqual([...without("data/"), "vendor/gen.ts", "vendor/lib.ts"].sort());
  });
});

describe("linguist-generated", () => {
  test("leaves out as it is set, unset and overruled by a folder", async () => {
    using repo = tempRepo({
      "api/client.ts": "client\n",
      "api/own.ts": "own\n",
      "b.ts": "b\n",
      ".gitattributes": "api/** linguist-generated\n",
      "api/.gitattributes": "own.ts -linguist-generated\n",
    });
    repo.commit();
    const every = { ...deaf.every, headMs: NEVER_MS };
    await using at = await tempIndexer(repo.dir, { watch: { every } });
    const out = () =>
      Object.entries(liveIndex(at.db)).flatMap(([path, what]) => (what === "generated" ? path : []));
    expect(out()).toEqual(["api/.gitattributes", "api/client.ts"]);
    repo.write("new.ts", "new\n");
    repo.write(".gitattributes", "new.ts linguist-generated=true\nb.ts linguist-generated=false\n");
    await expect.poll(out, POLL).toEqual(["new.ts"]);
    // A save asks for the one file alone.
    repo.write("new.ts", "newer\n");
    await at.indexer.idle();
    expect(out()).toEqual(["new.ts"]);
    repo.write(".gitattributes", "");
    await expect.poll(out, POLL).toEqual([]);
    expect(liveIndex(at.db)).toEqual(expectedIndex(repo.dir));
  });

  test("is known for files of a nested repository, by its own attributes", async () => {
    using repo = tempRepo({ "a.ts": "a\n", "lib.ts": "a\n" });
    using other = tempRepo({ "lib.ts": "lib\n", ".gitattributes": "lib.ts linguist-generated\n" });
    renameSync(other.dir, join(repo.dir, "vendor"));
    await using at = await tempIndexer(repo.dir);
    const index = liveIndex(at.db);
    expect([index["vendor/lib.ts"], index["lib.ts"] === "generated"]).toEqual(["generated", false]);
  });
});

test("a changed rule for skipping has an index that is there already looked at again", async () => {
  using repo = tempRepo({ "a.ts": "// Code generated. DO NOT EDIT.\n", "b.ts": "b\n", "c.lock": "c\n" });
  await using at = await tempIndexer(repo.dir);
  const truth = liveIndex(at.db);
  at.store.useSkipRules("today's");
  await at.sync();
  // As other rules would have left it.
  at.db.exec(`
    UPDATE files SET skip_reason = 'minified', blob_id = NULL WHERE path = 'b.ts';
    DELETE FROM live WHERE path = 'b.ts';
    UPDATE files SET skip_reason = 'binary' WHERE path = 'a.ts'`);
  at.store.useSkipRules("today's");
  await at.sync();
  expect(liveIndex(at.db)).not.toEqual(truth);
  at.store.useSkipRules("tomorrow's");
  await at.sync();
  expect(liveIndex(at.db)).toEqual(truth);
});
