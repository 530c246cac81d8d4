/** Every way that git moves a tree, twice: with the file system's events, and without a single one. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectedIndex, liveIndex } from "./testing/expected-index.ts";
import { type TempIndexer, type TempIndexerOptions, tempIndexer } from "./testing/temp-indexer.ts";

interface Case {
  readonly name: string;
  /** The index must equal the tree after each. */
  readonly steps: readonly ((repo: TempRepo) => unknown)[];
  /** Without events: git's own files tell of it within seconds, or only the next comparison of everything. */
  readonly unheard: "git tells" | "compared";
}

const told = (name: string, ...steps: Case["steps"]): Case => ({ name, steps, unheard: "git tells" });
const untold = (name: string, ...steps: Case["steps"]): Case => ({ name, steps, unheard: "compared" });
const git =
  (...args: string[]) =>
  (repo: TempRepo) =>
    repo.git(...args);
/** A command that stops in the middle, as it should. */
const stopped =
  (...args: string[]) =>
  (repo: TempRepo) =>
    expect(() => repo.git(...args)).toThrow();
const write = (path: string, content: string) => (repo: TempRepo) => repo.write(path, content);
const all =
  (...acts: ((repo: TempRepo) => unknown)[]) =>
  (repo: TempRepo) => {
    for (const act of acts) act(repo);
  };
const inRepo =
  (act: (at: (path: string) => string) => void) =>
  (repo: TempRepo): void =>
    act((path) => join(repo.dir, path));
const FILE_PROTOCOL = ["-c", "protocol.file.allow=always"];

let lib: TempRepo;
let remote: ReturnType<typeof tempDir>;

const cases: readonly Case[] = [
  told(
    "commit",
    all(write("src/new.ts", "new\n"), write("src/a.ts", "mine\n"), git("add", "-A")),
    git("commit", "-qm", "x"),
  ),
  told("commit --amend", all(write("src/a.ts", "more\n"), git("commit", "-qa", "--amend", "-m", "x"))),
  told("checkout and back", git("checkout", "-q", "side"), git("checkout", "-q", "main")),
  told(
    "switch -c",
    all(git("switch", "-qc", "fresh"), write("src/f.ts", "f\n"), git("add", "-A")),
    git("commit", "-qm", "f"),
  ),
  told(
    "checkout -f over what is not committed",
    all(write("src/a.ts", "dirty\n"), git("checkout", "-qf", "side")),
  ),
  told("detached HEAD", git("checkout", "-q", "--detach", "main~1"), git("switch", "-q", "main")),
  told(
    "orphan branch",
    all(
      git("checkout", "-q", "--orphan", "alone"),
      git("rm", "-qrf", "."),
      write("only.ts", "only\n"),
      git("add", "-A"),
    ),
    git("commit", "-qm", "alone"),
    git("checkout", "-q", "main"),
  ),
  told("pull", (repo) => {
    using clone = tempDir();
    repo.git("clone", "-q", remote.dir, join(clone.dir, "c"));
    const at = ["-C", join(clone.dir, "c")];
    writeFileSync(join(clone.dir, "c/src/pulled.ts"), `pulled ${Math.random()}\n`);
    repo.git(...at, "add", "-A");
    repo.git(...at, "commit", "-qm", "theirs");
    repo.git(...at, "push", "-q");
    repo.git("pull", "-q", "--rebase", "origin", "main");
  }),
  told("reset --hard", git("reset", "-q", "--hard", "main~1")),
  told("reset --soft and --mixed", git("reset", "-q", "--soft", "main~1"), git("reset", "-q", "--mixed")),
  told("rebase", git("rebase", "-q", "main", "their-side")),
  told(
    "rebase that stops at a conflict, and is given up",
    stopped("rebase", "-q", "main", "their-clash"),
    git("rebase", "--abort"),
  ),
  told(
    "rebase that stops at a conflict, and goes on",
    stopped("rebase", "-q", "main", "their-clash"),
    all(
      write("src/a.ts", "solved\n"),
      git("add", "-A"),
      git("-c", "core.editor=true", "rebase", "--continue"),
    ),
  ),
  told("stash and pop", all(write("src/a.ts", "dirty\n"), git("stash", "-q")), git("stash", "pop", "-q")),
  told(
    "stash -u and pop",
    all(write("src/u.ts", "u\n"), write("src/a.ts", "u\n"), git("stash", "-qu")),
    git("stash", "pop", "-q"),
  ),
  told("merge", git("merge", "-q", "--no-ff", "-m", "m", "side")),
  told("merge with conflicts, and its end", stopped("merge", "-q", "clash"), git("merge", "--abort")),
  told(
    "merge with conflicts, solved",
    stopped("merge", "-q", "clash"),
    all(write("src/a.ts", "solved\n"), git("commit", "-qam", "m")),
  ),
  told("cherry-pick", git("cherry-pick", "side")),
  told("cherry-pick with conflicts", stopped("cherry-pick", "clash"), git("cherry-pick", "--abort")),
  told("revert", git("revert", "--no-edit", "HEAD")),
  told(
    "restore of a file",
    all(write("src/a.ts", "dirty\n"), git("add", "-A")),
    git("restore", "-SW", "src/a.ts"),
  ),
  untold("clean -fd", all(write("junk/j.ts", "j\n"), write("j.ts", "j\n")), git("clean", "-qfd")),
  untold(
    "apply of a patch",
    all(
      write("src/a.ts", "patched\n"),
      (repo) => writeFileSync(join(remote.dir, "p.diff"), repo.git("diff")),
      git("checkout", "-q", "."),
    ),
    (repo) => repo.git("apply", join(remote.dir, "p.diff")),
  ),
  told("mv of a file and of a folder", git("mv", "src/a.ts", "moved.ts"), git("mv", "src/deep", "deeper")),
  told(
    "rm, and rm --cached of what is ignored",
    git("rm", "-q", "src/b.ts"),
    all(write("k.log", "k\n"), git("add", "-f", "k.log")),
    git("rm", "-q", "--cached", "k.log"),
  ),
  told("sparse checkout", git("sparse-checkout", "set", "docs"), git("sparse-checkout", "disable")),
  untold(
    "assume-unchanged",
    all(git("update-index", "--assume-unchanged", "src/a.ts"), write("src/a.ts", "unseen by git\n")),
    git("update-index", "--no-assume-unchanged", "src/a.ts"),
  ),
  untold(
    "skip-worktree",
    all(git("update-index", "--skip-worktree", "src/a.ts"), write("src/a.ts", "unseen by git\n")),
    (repo) => repo.remove("src/a.ts"),
    all(git("update-index", "--no-skip-worktree", "src/a.ts"), git("checkout", "-q", ".")),
  ),
  told("case-only rename by git", git("mv", "src/a.ts", "src/A.ts")),
  untold(
    "case-only rename of a file and a folder",
    inRepo((at) => {
      renameSync(at("src/a.ts"), at("src/A.ts"));
      renameSync(at("src"), at("Src"));
    }),
  ),
  untold(
    "a file that becomes a folder, and back",
    inRepo((at) => {
      rmSync(at("src/a.ts"));
      mkdirSync(at("src/a.ts"));
      writeFileSync(at("src/a.ts/inner.ts"), "inner\n");
    }),
    inRepo((at) => {
      rmSync(at("src/a.ts"), { recursive: true });
      writeFileSync(at("src/a.ts"), "a file again\n");
    }),
  ),
  told("a branch where a file is a folder", git("checkout", "-q", "swapped"), git("checkout", "-q", "main")),
  untold(
    "a file that becomes a symbolic link, and back",
    inRepo((at) => {
      rmSync(at("src/a.ts"));
      symlinkSync("b.ts", at("src/a.ts"));
    }),
    inRepo((at) => {
      rmSync(at("src/a.ts"));
      writeFileSync(at("src/a.ts"), "a file again\n");
    }),
  ),
  untold(
    "a folder that becomes a symbolic link, and back",
    inRepo((at) => {
      renameSync(at("src/deep"), at("elsewhere"));
      symlinkSync("../elsewhere", at("src/deep"));
    }),
    inRepo((at) => {
      rmSync(at("src/deep"));
      renameSync(at("elsewhere"), at("src/deep"));
    }),
  ),
  untold(
    "rename of a folder",
    inRepo((at) => renameSync(at("src"), at("source"))),
  ),
  untold(
    "a file's mode",
    inRepo((at) => chmodSync(at("src/a.ts"), 0o755)),
  ),
  told("gc and repack", git("gc", "-q"), git("repack", "-qad"), git("checkout", "-q", "side")),
  told(
    "bisect",
    all(git("bisect", "start"), git("bisect", "bad", "main"), git("bisect", "good", "main~2")),
    git("bisect", "reset"),
  ),
  told(
    "line ends that git converts",
    all(
      write(".gitattributes", "*.ts text eol=crlf\n"),
      (repo) => repo.remove("src"),
      git("checkout", "-q", "--", "src"),
    ),
    git("add", "-A"),
  ),
  untold(
    "worktree add inside, and remove",
    git("worktree", "add", "-q", "inside", "side"),
    git("worktree", "remove", "inside"),
  ),
  told(
    "submodule add, update to another commit, and deinit",
    (repo) => repo.git(...FILE_PROTOCOL, "submodule", "add", "-q", lib.dir, "lib"),
    all(
      git("commit", "-qm", "lib"),
      () => lib.write("lib.ts", `lib ${Math.random()}\n`),
      () => lib.commit(),
      (repo) => repo.git(...FILE_PROTOCOL, "submodule", "-q", "update", "--remote"),
    ),
    git("submodule", "-q", "deinit", "-f", "lib"),
  ),
  told(
    "a nested repository that becomes a submodule, its .git a file, and is switched",
    all(
      (repo) => repo.git("clone", "-q", lib.dir, "nested"),
      (repo) => repo.git("-C", "nested", "checkout", "-q", "-b", "there"),
      (repo) => repo.git(...FILE_PROTOCOL, "submodule", "add", "-q", lib.dir, "nested"),
    ),
    git("submodule", "-q", "absorbgitdirs"),
    all(
      write("nested/lib.ts", "switched\n"),
      git("-C", "nested", "add", "-A"),
      git("-C", "nested", "commit", "-qm", "x"),
    ),
    git("-C", "nested", "checkout", "-q", "HEAD~1"),
  ),
  told(
    "a rule in .gitignore",
    write(".gitignore", "*.log\nsrc/deep/\n"),
    git("rm", "-rq", "--cached", "src/deep"),
  ),
  untold("a rule in a folder's .gitignore", all(write("src/n.ts", "n\n")), write("src/.gitignore", "n.ts\n")),
];

const NEVER_MS = 2 ** 30;
const fakeDeafWatcher = async () => ({ setIgnored: async () => {}, close: async () => {} });
const onlyGit = { headMs: 20, compareMs: NEVER_MS, blindCompareMs: NEVER_MS };

describe.each<[string, boolean, Required<TempIndexerOptions>["watch"]]>([
  ["with events, the index equals the work tree after", true, { every: { ...onlyGit, headMs: NEVER_MS } }],
  [
    "without any event, the index equals the work tree after",
    false,
    { every: onlyGit, watch: fakeDeafWatcher },
  ],
])("%s", (_, hears, watch) => {
  let repo: TempRepo;
  let at: TempIndexer;

  beforeAll(async () => {
    repo = tempRepo({
      "src/a.ts": "a\n",
      "src/b.ts": "b\n",
      "src/deep/c.ts": "c\n",
      "docs/d.md": "# d\n",
      ".gitignore": "*.log\n",
      "x.log": "ignored\n",
    });
    lib = tempRepo({ "lib.ts": "lib\n" });
    lib.commit();
    remote = tempDir();
    repo.commit("first");
    repo.git("branch", "side");
    repo.git("branch", "clash");
    repo.git("branch", "swapped");
    for (const [n, content] of [
      [2, "a second\n"],
      [3, "a third\n"],
    ] as const) {
      repo.write("src/a.ts", content);
      repo.write(`src/only-${n}.ts`, content);
      repo.commit(`${n}`);
    }
    repo.git("checkout", "-q", "side");
    repo.write("src/side.ts", "side\n");
    repo.remove("src/b.ts");
    repo.commit("side");
    repo.git("checkout", "-q", "clash");
    repo.write("src/a.ts", "clash\n");
    repo.commit("clash");
    repo.git("checkout", "-q", "swapped");
    repo.remove("src/a.ts");
    repo.write("src/a.ts/inner.ts", "inner\n");
    repo.remove("src/deep");
    repo.write("src/deep", "a file now\n");
    repo.commit("swapped");
    repo.git("checkout", "-q", "main");
    repo.git("tag", "start");
    for (const name of ["side", "clash"]) repo.git("tag", `their-${name}`, name);
    repo.git("init", "-q", "--bare", "-b", "main", remote.dir);
    repo.git("remote", "add", "origin", remote.dir);
    repo.git("push", "-q", "-u", "origin", "main");
    at = await tempIndexer(repo.dir, { watch });
  });
  afterAll(async () => {
    await at[Symbol.asyncDispose]();
    for (const made of [repo, lib, remote]) made[Symbol.dispose]();
  });
  beforeEach(async () => {
    repo.git("checkout", "-qfB", "main", "start");
    repo.git("clean", "-qffdx");
    await at.sync();
  });

  test.each(cases.map((one) => [one.name, one] as const))("%s", async (_name, { steps, unheard }) => {
    for (const step of steps) {
      step(repo);
      const expected = expectedIndex(repo.dir);
      if (!hears && unheard === "compared") await at.sync();
      await expect.poll(() => liveIndex(at.db), { timeout: 10_000, interval: 20 }).toEqual(expected);
      await at.indexer.idle();
      expect(liveIndex(at.db)).toEqual(expected);
    }
  });
});
