import { appendFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { blobId } from "@dhi/core/index-db";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TempIndexer, tempIndexer, workTreeOf } from "./testing/temp-indexer.ts";
import type { WatcherOptions } from "./watcher.ts";

describe("the index follows the work tree through", () => {
  let repo: TempRepo;
  let at: TempIndexer;

  beforeEach(async () => {
    repo = tempRepo({
      "src/a.ts": "export const a = 1;\n",
      "src/deep/b.ts": "export const b = 1;\n",
      "README.md": "# hello\n",
      ".gitignore": "ignored/\n*.log\n",
      "ignored/x.ts": "never\n",
    });
    repo.commit();
    at = await tempIndexer(repo.dir, { watch: true });
  });
  afterEach(async () => {
    await at[Symbol.asyncDispose]();
    repo[Symbol.dispose]();
  });
  const followed = () => at.becomes(workTreeOf(repo.dir, ["ignored"]));

  test("saves, new files and deletions", async () => {
    repo.write("src/a.ts", "export const a = 2;\n");
    repo.write("src/new.ts", "export const n = 1;\n");
    repo.remove("README.md");
    await followed();
    expect(at.indexed()["README.md"]).toBeUndefined();
    expect(at.parsed()).toBe(6);
  });

  test("a save that replaces the file by another, as editors do", async () => {
    repo.write("src/a.ts.tmp", "export const a = 3;\n");
    renameSync(join(repo.dir, "src/a.ts.tmp"), join(repo.dir, "src/a.ts"));
    await followed();
  });

  test("renames of a file and of a folder, without reading them again by the chunker", async () => {
    const parsed = at.parsed();
    renameSync(join(repo.dir, "src/a.ts"), join(repo.dir, "src/z.ts"));
    renameSync(join(repo.dir, "src/deep"), join(repo.dir, "moved"));
    await followed();
    expect(at.indexed()["moved/b.ts"]).toBeDefined();
    expect(at.parsed()).toBe(parsed);
  });

  test("a folder deleted with all that is in it", async () => {
    rmSync(join(repo.dir, "src"), { recursive: true });
    await followed();
  });

  test("a folder that is removed and made again at once, and what is saved there later", async () => {
    rmSync(join(repo.dir, "src"), { recursive: true });
    repo.write("src/deep/b.ts", "export const b = 2;\n");
    await followed();
    for (const content of ["c", "cc"]) {
      repo.write("src/c.ts", content);
      repo.write("src/deep/c.ts", content);
      await followed();
    }
  });

  test("folders that change places, and what is saved there later", async () => {
    repo.write("other/o.ts", "export const o = 1;\n");
    await followed();
    renameSync(join(repo.dir, "src"), join(repo.dir, "third"));
    renameSync(join(repo.dir, "other"), join(repo.dir, "src"));
    renameSync(join(repo.dir, "third"), join(repo.dir, "other"));
    await followed();
    repo.write("src/o.ts", "export const o = 2;\n");
    repo.write("other/deep/b.ts", "export const b = 2;\n");
    await followed();
  });

  test("a submodule's folder that git empties, makes again and fills", async () => {
    using lib = tempRepo({ "lib.ts": "export const lib = 1;\n" });
    lib.commit();
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "lib");
    repo.commit();
    await followed();
    repo.git("submodule", "-q", "deinit", "-f", "lib");
    await at.becomes({ ...workTreeOf(repo.dir, ["ignored"]), lib: "not-a-file" });
    repo.git("-c", "protocol.file.allow=always", "submodule", "-q", "update", "--init");
    await followed();
  });

  test("new folders inside new folders, and files made there later", async () => {
    repo.write("one/two/three/f.ts", "export const f = 1;\n");
    await followed();
    repo.write("one/two/g.ts", "export const g = 1;\n");
    await followed();
    repo.write("one/two/three/f.ts", "export const f = 2;\n");
    await followed();
  });

  test("checkout of a branch and back: nothing is parsed the second time", async () => {
    repo.git("checkout", "-q", "-b", "feature");
    repo.write("src/a.ts", "export const a = 'feature';\n");
    repo.write("src/only-here.ts", "export const o = 1;\n");
    repo.commit();
    await followed();
    repo.git("checkout", "-q", "main");
    await followed();
    const parsed = at.parsed();
    repo.git("checkout", "-q", "feature");
    await followed();
    repo.git("checkout", "-q", "main");
    await followed();
    expect(at.parsed()).toBe(parsed);
  });

  test("stash, stash pop, reset --hard and merge", async () => {
    repo.write("src/a.ts", "export const a = 'dirty';\n");
    await followed();
    repo.git("stash", "-q");
    await followed();
    repo.git("stash", "pop", "-q");
    await followed();
    repo.git("reset", "-q", "--hard");
    await followed();
    repo.git("checkout", "-q", "-b", "side");
    repo.write("src/side.ts", "export const s = 1;\n");
    repo.commit();
    repo.git("checkout", "-q", "main");
    await followed();
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side");
    await followed();
    expect(at.indexed()["src/side.ts"]).toBeDefined();
  });

  test("changes of .gitignore, in both directions", async () => {
    repo.write(".gitignore", "ignored/\n*.log\nsrc/deep/\n");
    repo.git("rm", "-q", "-r", "--cached", "src/deep");
    await at.becomes(workTreeOf(repo.dir, ["ignored", "src/deep"]));
    repo.write(".gitignore", "*.log\n");
    await at.becomes(workTreeOf(repo.dir));
    // Folders that were ignored are watched now.
    repo.write("ignored/x.ts", "now seen\n");
    repo.write("src/deep/b.ts", "now seen too\n");
    await at.becomes(workTreeOf(repo.dir));
  });

  test("an ignored file that git is told to track", async () => {
    repo.write("kept.log", "line\n");
    repo.git("add", "-f", "kept.log");
    await followed();
    expect(at.indexed()["kept.log"]).toBeDefined();
  });

  test("a nested repository that is cloned into it", async () => {
    using other = tempRepo({
      "lib.ts": "export const lib = 1;\n",
      ".gitignore": "out/\n",
      "out/x.ts": "no\n",
    });
    other.commit();
    renameSync(other.dir, join(repo.dir, "vendor"));
    await at.becomes(workTreeOf(repo.dir, ["ignored", "vendor/out"]));
    repo.write("vendor/lib.ts", "export const lib = 2;\n");
    await at.becomes(workTreeOf(repo.dir, ["ignored", "vendor/out"]));
  });
});

test("folders named like a tool's count when git says so", async () => {
  using repo = tempRepo({ "build/make.ts": "export const m = 1;\n", ".gitignore": "node_modules\n" });
  repo.commit();
  await using at = await tempIndexer(repo.dir, { watch: true });
  repo.write("node_modules/dep/index.js", "no\n");
  repo.write("build/make.ts", "export const m = 2;\n");
  repo.write("dist/shown.ts", "export const d = 1;\n");
  await at.becomes(workTreeOf(repo.dir, ["node_modules"]));
  repo.write("dist/later.ts", "export const d = 2;\n");
  await at.becomes(workTreeOf(repo.dir, ["node_modules"]));
});

test("while git moves files the index keeps the tree it had, and takes the new one whole", async () => {
  using repo = tempRepo({ "a.ts": "main\n", "b.ts": "main\n" });
  repo.commit();
  await using at = await tempIndexer(repo.dir, { watch: true });
  const before = at.indexed();
  repo.write(".git/index.lock", "");
  repo.write("a.ts", "side\n");
  // Longer than a batch waits for quiet.
  await new Promise((done) => setTimeout(done, 250));
  expect(at.indexed()).toEqual(before);
  repo.write("b.ts", "side\n");
  repo.remove(".git/index.lock");
  await at.becomes(workTreeOf(repo.dir));
});

test("a linked worktree is followed by its own HEAD", async () => {
  using repo = tempRepo({ "a.ts": "export const a = 1;\n" });
  repo.commit();
  using elsewhere = tempDir();
  const dir = join(elsewhere.dir, "linked");
  repo.git("worktree", "add", "-q", "-b", "linked", dir);
  await using at = await tempIndexer(dir, { watch: true });
  expect(at.tree.git()?.gitDir).toBe(join(repo.dir, ".git/worktrees/linked"));
  appendFileSync(join(dir, "a.ts"), "export const more = 1;\n");
  await at.becomes(workTreeOf(dir));
});

test("a folder without git is followed by events and by polling alike", async () => {
  for (const polling of [false, true]) {
    using folder = tempDir();
    mkdirSync(join(folder.dir, "sub"));
    appendFileSync(join(folder.dir, "sub/a.py"), "a = 1\n");
    await using at = await tempIndexer(folder.dir, { watch: { polling } });
    appendFileSync(join(folder.dir, "sub/a.py"), "b = 1\n");
    appendFileSync(join(folder.dir, "c.py"), "c = 1\n");
    await at.becomes(workTreeOf(folder.dir));
  }
});

const NEVER_MS = 2 ** 30;
const fakeDeafWatcher = async () => ({ setIgnored: async () => {}, close: async () => {} });

test("what no event told of is found by comparing", async () => {
  using repo = tempRepo({ "a.ts": "a\n" });
  const every = { headMs: NEVER_MS, compareMs: 200, blindCompareMs: NEVER_MS };
  await using at = await tempIndexer(repo.dir, { watch: { every, watch: fakeDeafWatcher } });
  repo.write("a.ts", "b\n");
  await at.becomes(workTreeOf(repo.dir));
});

test("a checkout that no event told of is found by git's own files", async () => {
  using repo = tempRepo({ "a.ts": "a\n" });
  repo.commit();
  const every = { headMs: 20, compareMs: NEVER_MS, blindCompareMs: NEVER_MS };
  await using at = await tempIndexer(repo.dir, { watch: { every, watch: fakeDeafWatcher } });
  repo.git("checkout", "-q", "-b", "side");
  repo.write("a.ts", "b\n");
  repo.commit();
  await at.becomes(workTreeOf(repo.dir));
});

test("a rule in the clone's own exclude file is found without an event", async () => {
  using repo = tempRepo({ "a.ts": "a\n", "b.ts": "b\n" });
  const every = { headMs: 20, compareMs: NEVER_MS, blindCompareMs: NEVER_MS };
  await using at = await tempIndexer(repo.dir, { watch: { every } });
  repo.write(".git/info/exclude", "b.ts\n");
  await at.becomes({ "a.ts": blobId(Buffer.from("a\n")) });
});

test("a workspace that is removed and cloned anew is followed again", async () => {
  using repo = tempRepo({ "a.ts": "a\n" });
  repo.commit();
  using elsewhere = tempDir();
  const dir = join(elsewhere.dir, "clone");
  repo.git("clone", "-q", repo.dir, dir);
  const every = { headMs: 20, compareMs: NEVER_MS, blindCompareMs: NEVER_MS };
  await using at = await tempIndexer(dir, { watch: { every } });
  rmSync(dir, { recursive: true });
  repo.git("clone", "-q", repo.dir, dir);
  for (const name of ["b.ts", "c.ts", "d.ts"]) {
    appendFileSync(join(dir, name), "new\n");
    await at.becomes(workTreeOf(dir));
  }
});

test.each(["repository", "plain folder"])(
  "a %s that was away for a while is followed again",
  async (kind) => {
    using repo = tempRepo({ "a.ts": "a\n" });
    if (kind === "plain folder") repo.remove(".git");
    const every = { headMs: 20, compareMs: NEVER_MS, blindCompareMs: NEVER_MS };
    await using at = await tempIndexer(repo.dir, { watch: { every } });
    const away = `${repo.dir}-away`;
    renameSync(repo.dir, away);
    await expect.poll(() => at.indexer.status().state).toBe("failed");
    // Longer than it takes to watch anew.
    await new Promise((done) => setTimeout(done, 500));
    renameSync(away, repo.dir);
    await expect.poll(() => at.indexer.status().state).toBe("watching");
    for (const name of ["b.ts", "c.ts", "d.ts"]) {
      repo.write(name, "new\n");
      await at.becomes(workTreeOf(repo.dir));
    }
  },
);

test("a watcher that cannot start, or says that it loses events, is made up for by comparing more often", async () => {
  using repo = tempRepo({ "a.ts": "a\n" });
  const every = { headMs: NEVER_MS, compareMs: NEVER_MS, blindCompareMs: 200 };
  const fakeBroken = () => Promise.reject(new Error("ENOSPC"));
  const fakeBlind = async ({ onBlind }: WatcherOptions) => {
    onBlind();
    return fakeDeafWatcher();
  };
  for (const watch of [fakeBroken, fakeBlind]) {
    await using at = await tempIndexer(repo.dir, { watch: { every, watch } });
    repo.write("a.ts", `${watch.name}\n`);
    await at.becomes(workTreeOf(repo.dir));
  }
});
