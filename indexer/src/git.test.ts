import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { type Git, openGit } from "./git.ts";

async function opened(folder: string): Promise<Git> {
  const answer = await openGit(folder);
  if (!answer.git) throw new Error(`${answer.why}: ${answer.detail}`);
  return answer.git;
}

test("lists what is tracked or not ignored, by git's own rules", async () => {
  using repo = tempRepo({
    "a.ts": "",
    "sub/b.ts": "",
    "sub/.gitignore": "c.ts\n",
    "sub/c.ts": "",
    "d.log": "",
  });
  repo.write(".git/info/exclude", "*.log\n");
  repo.git("add", "-f", "d.log");
  const git = await opened(repo.dir);
  expect((await git.list([""])).sort()).toEqual(["a.ts", "d.log", "sub/.gitignore", "sub/b.ts"]);
  expect(await git.list(["sub", "nowhere"])).toEqual(["sub/.gitignore", "sub/b.ts"]);
});

test("asks for a name as it is, whatever git could read into it", async () => {
  using repo = tempRepo({ "[id].ts": "", "i.ts": "", ":(top)x.ts": "", "*.log": "", "-n": "" });
  const git = await opened(repo.dir);
  for (const path of ["[id].ts", ":(top)x.ts", "*.log", "-n"]) {
    expect(await git.list([path])).toEqual([path]);
    expect(await git.whyIgnored(path)).toBeUndefined();
  }
  repo.write(".gitignore", ":(top)x.ts\n");
  expect(await git.whyIgnored(":(top)x.ts")).toBe(".gitignore:1: :(top)x.ts");
});

test("takes more paths than a command line holds", async () => {
  using repo = tempRepo({ "last.ts": "" });
  const paths = Array.from({ length: 5_000 }, (_, i) => `folder/of/long/names/${"x".repeat(40)}${i}.ts`);
  expect(await (await opened(repo.dir)).list([...paths, "last.ts"])).toEqual(["last.ts"]);
});

test("names folders that are ignored as a whole, not those whose files all happen to be", async () => {
  using repo = tempRepo({
    ".gitignore": "deps/\n*.log\n",
    "deps/x/y.js": "",
    "logs/a.log": "",
    "src/deps/z.js": "",
  });
  expect(await (await opened(repo.dir)).ignoredFolders([""])).toEqual(["deps", "src/deps"]);
});

test("takes names with quotes, backslashes, line breaks and control characters as they are", async () => {
  const names = ['q"uote', "back\\slash", "new\nline", "tab\t", "bell\x07", "del\x7f", "é"];
  using repo = tempRepo({ ".gitignore": "i-*\n" });
  for (const name of names) repo.write(`i-${name}/a.ts`, "");
  const git = await opened(repo.dir);
  expect((await git.ignoredFolders([""])).sort()).toEqual(names.map((name) => `i-${name}`).sort());
});

test("knows where a linked worktree has its ignore rules: with the repository", async () => {
  using repo = tempRepo({ "a.ts": "" });
  repo.commit();
  using elsewhere = tempDir();
  repo.git("worktree", "add", "-q", join(elsewhere.dir, "linked"));
  for (const folder of [repo.dir, join(elsewhere.dir, "linked")])
    expect((await opened(folder)).ruleFiles).toContain(join(repo.dir, ".git/info/exclude"));
});

test.each([
  ["git@example.com:team/shop.git", "shop"],
  ["https://example.com/team/shop", "shop"],
  ["https://example.com/team/shop.git/", "shop"],
  ["/srv/git/shop.git", "shop"],
])("names the repository by its remote %s", async (url, name) => {
  using repo = tempRepo();
  repo.git("remote", "add", "origin", url);
  expect(await (await opened(repo.dir)).remoteName()).toBe(name);
});

test("has no name without a remote", async () => {
  using repo = tempRepo();
  expect(await (await opened(repo.dir)).remoteName()).toBeUndefined();
});

test("says why there is no repository", async () => {
  using folder = tempDir();
  using repo = tempRepo({ ".gitignore": "out/\n", "out/a.ts": "" });
  mkdirSync(join(repo.dir, ".git/info"), { recursive: true });
  const why = async (dir: string, env = process.env) => {
    const answer = await openGit(dir, env);
    return answer.git ? "repository" : answer.why;
  };
  expect(await why(folder.dir)).toBe("no-repository");
  expect(await why(join(repo.dir, ".git/info"))).toBe("no-repository");
  expect(await why(join(repo.dir, "out"))).toBe("no-repository");
  expect(await why(repo.dir, { PATH: "/nowhere" })).toBe("not-found");
  expect(await why(repo.dir)).toBe("repository");
});

test("is not led to another repository by the variables of a git hook", async () => {
  using repo = tempRepo({ "a.ts": "" });
  using other = tempRepo({ "b.ts": "" });
  const answer = await openGit(repo.dir, { ...process.env, GIT_DIR: join(other.dir, ".git"), EDITOR: "vi" });
  expect(await answer.git?.list([""])).toEqual(["a.ts"]);
});

test("runs no program that the repository's settings name", async () => {
  using repo = tempRepo({ "a.ts": "", "monitor.sh": "#!/bin/sh\ntouch ran\n" });
  repo.git("config", "core.fsmonitor", "sh monitor.sh");
  expect((await (await opened(repo.dir)).list([""])).sort()).toEqual(["a.ts", "monitor.sh"]);
  expect(existsSync(join(repo.dir, "ran"))).toBe(false);
});

test("fetches nothing that a partial clone lacks, and runs no program that is named for that", async () => {
  using origin = tempRepo({ "a.ts": "", "sub/.gitattributes": "*.ts linguist-generated\n" });
  origin.commit();
  origin.git("config", "uploadpack.allowFilter", "true");
  using clone = tempDir();
  const repo = join(clone.dir, "repo");
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args]);
  const from = ["--filter=blob:none", "--no-checkout", `file://${origin.dir}`];
  execFileSync("git", ["clone", "-q", ...from, repo]);
  git("sparse-checkout", "set", "--no-cone", "/a.ts");
  git("checkout", "-q");
  git("config", "remote.origin.uploadpack", `sh -c "touch ${join(clone.dir, "ran")}; exit 1" --`);
  expect(await (await opened(repo)).list([""])).toEqual(["a.ts", "sub/.gitattributes"]);
  await expect((await opened(repo)).generated(["sub/b.ts"])).rejects.toThrow("not allowed");
  expect(existsSync(join(clone.dir, "ran"))).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)(
  "reads a repository that belongs to another user, as a mount does",
  async () => {
    using repo = tempRepo({ "a.ts": "" });
    for (const path of ["", ".git", ...readdirSync(join(repo.dir, ".git")).map((n) => `.git/${n}`)])
      chownSync(join(repo.dir, path), 12_345, 12_345);
    expect(await (await opened(repo.dir)).list([""])).toEqual(["a.ts"]);
  },
);

test.each([
  ["kill -9 $$", "git ls-files was ended by SIGKILL"],
  ["exit 1", "git ls-files failed with code 1"],
])("git that ends in the middle of its list (%s) is a failure, not a list", async (end, words) => {
  using repo = tempRepo({ "a.ts": "", "b.ts": "" });
  using bin = tempDir();
  const fake = join(bin.dir, "git");
  const code = `#!/bin/sh
case "$*" in *ls-files*) printf 'a.ts\\0'; ${end} ;; esac
PATH="\${PATH#*:}" exec git "$@"
`;
  writeFileSync(fake, code, { mode: 0o755 });
  const { git } = await openGit(repo.dir, { ...process.env, PATH: `${bin.dir}:${process.env.PATH}` });
  await expect(git?.list([""])).rejects.toThrow(new Error(words));
});

test("what git warns of besides is no failure", async () => {
  using repo = tempRepo({ rules: "a.ts\n", "a.ts": "" });
  const git = await opened(repo.dir);
  symlinkSync("rules", join(repo.dir, ".gitignore"));
  expect(await git.whyIgnored("a.ts")).toBeUndefined();
});

test("says of a folder that a file took the place of that it is a file", async () => {
  using repo = tempRepo({ "a.ts": "" });
  expect(await openGit(join(repo.dir, "a.ts"))).toMatchObject({
    ...{ why: "failed", detail: expect.stringContaining("is a file; it must be a folder") },
  });
});
