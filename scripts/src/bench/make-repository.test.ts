import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { makeRepository } from "./make-repository.ts";

const packages = [{ name: "@dhi/core", dir: join(import.meta.dirname, "../../../core/src") }];
const git = (dir: string, ...args: string[]) => execFileSync("git", args, { cwd: dir, encoding: "utf8" });
const tracked = (dir: string) => git(dir, "ls-files").trim().split("\n");

test("has as many files as asked for, of several copies, in one commit on main with a clean work tree", () => {
  using temp = tempDir();
  const dir = join(temp.dir, "made");
  makeRepository({ dir, packages, files: 130 });
  const paths = tracked(dir);
  expect(paths.length).toBe(130);
  expect(new Set(paths.map((path) => path.split("/").slice(0, 2).join("/"))).size).toBeGreaterThan(1);
  expect(git(dir, "log", "--format=%D").trim()).toBe("HEAD -> main");
  expect(git(dir, "status", "--porcelain")).toBe("");
});

test("copies have other contents than the original", () => {
  using temp = tempDir();
  const dir = join(temp.dir, "made");
  makeRepository({ dir, packages, files: 130 });
  const contents = tracked(dir).map((path) => readFileSync(join(dir, path), "utf8"));
  // Files of a line or two may have no name that is changed.
  expect(new Set(contents).size).toBeGreaterThan(125);
});

test("the same sources and number give the same repository, whatever lay there before", () => {
  using temp = tempDir();
  const [one, two] = [join(temp.dir, "one"), join(temp.dir, "two")];
  makeRepository({ dir: two, packages, files: 40 });
  for (const dir of [one, two]) makeRepository({ dir, packages, files: 70 });
  const treeOf = (dir: string) => git(dir, "rev-parse", "HEAD^{tree}");
  expect(treeOf(two)).toBe(treeOf(one));
});

test("without sources there is nothing to make one of", () => {
  using temp = tempDir();
  expect(() => makeRepository({ dir: join(temp.dir, "made"), packages: [], files: 10 })).toThrow(RangeError);
});
