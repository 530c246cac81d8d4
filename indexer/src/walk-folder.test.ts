import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fileTree, ignoreFile } from "./testing/ignore-arbitrary.ts";
import { walkFolder, whyIgnoredByFolder } from "./walk-folder.ts";
import { createWorkTree } from "./work-tree.ts";

/** Every file of the tree that `git check-ignore` does not name: git's word, asked another way than we ask. */
function keptByGit(dir: string): string[] {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((path) => !path.startsWith(".git/"));
  const ignored = new Set(checkIgnore(dir, files));
  return files.filter((path) => !ignored.has(path)).sort();
}

function checkIgnore(dir: string, paths: readonly string[]): string[] {
  try {
    return execFileSync("git", ["check-ignore", "-z", "--stdin"], {
      ...{ cwd: dir, input: paths.join("\0"), encoding: "utf8" as const },
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    }).split("\0");
  } catch (error) {
    // 1: none of them is ignored.
    if (error instanceof Error && "status" in error && error.status === 1) return [];
    throw error;
  }
}

const log = { warn() {} };

/** Writes each tree into a folder of its own. @returns the folder's name */
let trees = 0;
function plant(repo: TempRepo, files: Readonly<Record<string, string>>): string {
  const folder = `t${trees++}`;
  for (const [path, content] of Object.entries(files)) repo.write(`${folder}/${path}`, content);
  return folder;
}

/** Thousands when a rule is changed (`FUZZ_RUNS=4000`): 450 were needed to find that git matches bytes, not characters. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 100);

test("a folder without git keeps what git would keep in a repository of the same files", async () => {
  using repo = tempRepo();
  await fc.assert(
    fc.asyncProperty(fileTree, async (files) => {
      const dir = join(repo.dir, plant(repo, files));
      const kept = keptByGit(dir);
      expect((await walkFolder(dir, [""])).sort()).toEqual(kept);
      expect(
        Object.keys(files)
          .filter((path) => !whyIgnoredByFolder(dir, path))
          .sort(),
      ).toEqual(kept);
    }),
    { numRuns: RUNS },
  );
});

test("a repository keeps what check-ignore keeps, by the rules of the tree, of the clone and of the user", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fileTree, { minLength: 20, maxLength: 20 }),
      ignoreFile,
      ignoreFile,
      async (forest, exclude, global) => {
        using repo = tempRepo();
        using outside = tempDir();
        for (const files of forest) plant(repo, files);
        repo.write(".git/info/exclude", exclude);
        writeFileSync(join(outside.dir, "ignore"), global);
        repo.git("config", "core.excludesFile", join(outside.dir, "ignore"));
        const tree = createWorkTree({ root: repo.dir, stateFolder: undefined, maxFileBytes: 1e6, log });
        await tree.refresh();
        const kept = (await tree.files([""])).map((f) => f.path).sort();
        expect(kept).toEqual(keptByGit(repo.dir));
      },
    ),
    { numRuns: Math.ceil(RUNS / 40) },
  );
});

test("folders named like a tool's stay out without git, whoever asks for them", async () => {
  using folder = tempDir();
  for (const path of ["a.ts", "dist/d.ts", "sub/node_modules/x/y.js", "sub/build"]) {
    mkdirSync(join(folder.dir, path, ".."), { recursive: true });
    writeFileSync(join(folder.dir, path), "");
  }
  expect((await walkFolder(folder.dir, [""])).sort()).toEqual(["a.ts", "sub/build"]);
  expect(await walkFolder(folder.dir, ["dist", "sub/node_modules/x", "dist/d.ts", ".git"])).toEqual([]);
  expect(await walkFolder(folder.dir, ["sub/build", "gone"])).toEqual(["sub/build"]);
});

test("rules in files that are no plain files are not read", async () => {
  using folder = tempDir();
  writeFileSync(join(folder.dir, "a.ts"), "");
  writeFileSync(join(folder.dir, "rules"), "a.ts\n");
  symlinkSync("rules", join(folder.dir, ".gitignore"));
  expect((await walkFolder(folder.dir, [""])).sort()).toEqual([".gitignore", "a.ts", "rules"]);
});
