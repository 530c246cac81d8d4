/**
 * What an index of a work tree must say, found another way than the indexer's: a walk of the disk, and `git check-ignore`
 * for each repository met.
 */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { blobId, type IndexDb } from "@dhi/core/index-db";

/** @returns path → git's id of the bytes on the disk, or why the path is left out */
export function expectedIndex(root: string, at = ""): Record<string, string> {
  const isRepository = existsSync(join(root, at, ".git"));
  const inner: string[] = [];
  const files = filesBeneath(root, at, inner);
  const ignored = new Set(isRepository ? ignoredAmong(join(root, at), files) : []);
  const expected: Record<string, string> = {};
  for (const path of files)
    if (!ignored.has(path)) {
      const inTree = at ? `${at}/${path}` : path;
      const isFile = lstatSync(join(root, inTree)).isFile();
      expected[inTree] = isFile ? blobId(readFileSync(join(root, inTree))) : "not-a-file";
    }
  for (const path of isRepository ? emptySubmodules(join(root, at)) : [])
    expected[at ? `${at}/${path}` : path] = "not-a-file";
  for (const folder of inner)
    if (commonDirOf(join(root, folder)) === commonDirOf(root)) expected[folder] = "not-a-file";
    else Object.assign(expected, expectedIndex(root, folder));
  return expected;
}

/** What every query of the index sees, and the rest with the reason that keeps it out. */
export function liveIndex(db: IndexDb): Record<string, string> {
  const rows = db
    .prepare<[], { path: string; what: string }>(
      `SELECT path, blob AS what FROM live JOIN blobs ON blobs.id = blob_id
       UNION ALL SELECT path, skip_reason FROM files WHERE blob_id IS NULL`,
    )
    .all();
  return Object.fromEntries(rows.map(({ path, what }) => [path, what]));
}

/** @param inner gathers the repositories inside, which speak for themselves */
function filesBeneath(root: string, at: string, inner: string[], within = ""): string[] {
  return readdirSync(join(root, at, within), { withFileTypes: true }).flatMap((entry) => {
    const path = within ? `${within}/${entry.name}` : entry.name;
    if (entry.name === ".git") return [];
    if (!entry.isDirectory()) return [path];
    if (!existsSync(join(root, at, path, ".git"))) return filesBeneath(root, at, inner, path);
    inner.push(at ? `${at}/${path}` : path);
    return [];
  });
}

/** Tracked as submodules, and not checked out. */
const emptySubmodules = (folder: string): string[] =>
  gitIn(folder, ["ls-files", "-s", "-z"])
    .split("\0")
    .filter((line) => line.startsWith("160000 "))
    .map((line) => line.slice(line.indexOf("\t") + 1))
    .filter((path) => existsSync(join(folder, path)) && !existsSync(join(folder, path, ".git")));

const commonDirOf = (folder: string): string =>
  existsSync(join(folder, ".git"))
    ? resolve(folder, gitIn(folder, ["rev-parse", "--git-common-dir"]).trim())
    : "";

function ignoredAmong(folder: string, paths: readonly string[]): string[] {
  try {
    return gitIn(folder, ["check-ignore", "-z", "--stdin"], paths.join("\0")).split("\0");
  } catch (error) {
    // 1: none of them is ignored.
    if (error instanceof Error && "status" in error && error.status === 1) return [];
    throw error;
  }
}

const gitIn = (cwd: string, args: readonly string[], input = ""): string =>
  execFileSync("git", args, {
    ...{ cwd, input, encoding: "utf8" as const },
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
