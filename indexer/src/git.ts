/**
 * Git, asked and not imitated. Every command here only reads: optional locks are off, so not even `.git/index` is
 * refreshed, and a file-system monitor that the user's settings name is not started.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { simpleGit } from "simple-git";

export interface Git {
  /** Absolute; holds the `HEAD` and `index` of this work tree (of a linked worktree: its own, not the shared one). */
  readonly gitDir: string;
  /** Absolute; ignore rules of this clone, shared by its linked worktrees. May not be there. */
  readonly excludeFile: string;
  /**
   * Paths of the work tree, tracked or untracked and not ignored, at or beneath `scope`. A tracked file may be gone from
   * the disk; a submodule or nested repository is one entry, its folder, perhaps with a `/` at its end.
   *
   * @param scope relative paths of files or folders; `""` is everything
   */
  list(scope: readonly string[]): Promise<string[]>;
  /** Folders that are ignored as a whole, topmost only, at or beneath `scope`. */
  ignoredFolders(scope: readonly string[]): Promise<string[]>;
  /** Whether git would ignore the path, be it there or not. A tracked file is not ignored. */
  isIgnored(path: string): Promise<boolean>;
  /** Last part of the `origin` remote's URL: `git@host:team/shop.git` → `shop`. */
  remoteName(): Promise<string | undefined>;
}

export type GitAnswer =
  | { readonly git: Git }
  /** `not-found`: no git on this machine. `no-repository` is normal; `failed` quotes git. */
  | {
      readonly git: undefined;
      readonly why: "not-found" | "no-repository" | "failed";
      readonly detail: string;
    };

/** @param folder root of a repository or any folder inside its work tree; paths of the answer are relative to it */
export async function openGit(folder: string, env = process.env): Promise<GitAnswer> {
  try {
    const run = gitIn(folder, env);
    const [inside, gitDir = "", excludeFile = ""] = lines(
      await run([
        ...["rev-parse", "--is-inside-work-tree", "--absolute-git-dir"],
        ...["--git-path", "info/exclude"],
      ]),
    );
    if (inside !== "true") return notOpened("no-repository", "inside a .git folder or a bare repository");
    const git = gitOf(run, {
      gitDir: realpathSync(resolve(folder, gitDir)),
      excludeFile: resolve(folder, excludeFile),
    });
    if (await isOutsidersFolder(run, git))
      return notOpened("no-repository", "ignored by the repository around it");
    return { git };
  } catch (error) {
    const detail = error instanceof Error ? error.message.trim() : String(error);
    if (/ENOENT/.test(detail)) return notOpened("not-found", "git is not on the PATH");
    return notOpened(/not a git repository/i.test(detail) ? "no-repository" : "failed", detail);
  }
}

const notOpened = (why: Exclude<GitAnswer, { git: Git }>["why"], detail: string): GitAnswer => ({
  git: undefined,
  why,
  detail,
});

type RunGit = (args: readonly string[]) => Promise<string>;

/** Variables git needs; `GIT_DIR` and its like (set in a hook) would answer for another repository. */
const PASSED_ENV = [
  ...["PATH", "Path", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "TEMP", "TMP"],
  ...[
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "SystemRoot",
    "COMSPEC",
  ],
];

function gitIn(folder: string, env: NodeJS.ProcessEnv): RunGit {
  const passed = Object.fromEntries(PASSED_ENV.flatMap((key) => (env[key] ? [[key, env[key]]] : [])));
  const git = simpleGit({
    baseDir: folder,
    maxConcurrentProcesses: 2,
    // A workspace mounted into a container belongs to another user, and git would refuse to look at it.
    config: ["core.fsmonitor=false", "safe.directory=*", "core.quotePath=false"],
    unsafe: { allowUnsafeFsMonitor: true },
  }).env({ ...passed, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" });
  return (args) => git.raw([...args]);
}

function gitOf(run: RunGit, places: Pick<Git, "gitDir" | "excludeFile">): Git {
  const ask = async (args: readonly string[], scope: readonly string[]) => {
    const found = new Set<string>();
    for (const paths of inGroups(scope)) {
      const where = paths.some((p) => p === "") ? [] : ["--", ...paths];
      for (const path of (await run(["--literal-pathspecs", ...args, ...where])).split("\0"))
        if (path) found.add(path);
    }
    return [...found];
  };
  const ignoredOf = async (paths: readonly string[]) => {
    const ignored: string[] = [];
    for (const group of inGroups(paths)) {
      // It knows no literal pathspecs: `./` keeps a name that starts with `:` from being read as magic.
      const answer = await run(["check-ignore", "--", ...group.map((path) => `./${path}`)]);
      for (const path of lines(answer)) ignored.push(unquoted(path).slice("./".length));
    }
    return ignored;
  };
  return {
    ...places,
    list: (scope) => ask(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], scope),
    async ignoredFolders(scope) {
      const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
      const folders = (await ask(args, scope)).filter((p) => p.endsWith("/") && p !== "./");
      // ls-files also folds a folder in which every file happens to be ignored; new files there may not be.
      return (await ignoredOf(folders)).map((p) => p.replace(/\/$/, ""));
    },
    isIgnored: async (path) => (await ignoredOf([path])).length > 0,
    async remoteName() {
      const url = (await run(["config", "--get", "remote.origin.url"]).catch(() => "")).trim();
      return /([^/:\\]+?)(?:\.git)?[/\\]*$/.exec(url)?.[1];
    },
  };
}

/** The workspace is a folder that the repository around it ignores and tracks nothing of: that git knows nothing here. */
async function isOutsidersFolder(run: RunGit, git: Git): Promise<boolean> {
  const prefix = (await run(["rev-parse", "--show-prefix"])).trim();
  if (!prefix) return false;
  return (await git.isIgnored(".")) && (await run(["ls-files", "-z", "--cached"])) === "";
}

/** Command lines are limited (32 kB on Windows, 128 kB per argument on Linux). */
const GROUP_CHARS = 24_000;

function* inGroups(paths: readonly string[]): Generator<readonly string[]> {
  let group: string[] = [];
  let chars = 0;
  for (const path of paths) {
    if (chars + path.length > GROUP_CHARS && group.length) {
      yield group;
      group = [];
      chars = 0;
    }
    group.push(path);
    chars += path.length + 3;
  }
  if (group.length) yield group;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" },
};

/** `check-ignore` quotes a name with control characters, quotes or backslashes as C does; its `-z` wants standard input. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replaceAll(/\\(\d{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
}

const lines = (text: string): string[] => text.split(/\r?\n/).filter(Boolean);
