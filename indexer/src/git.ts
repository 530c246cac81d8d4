/**
 * Git, asked and not imitated. Every command here only reads: optional locks are off, so not even `.git/index` is
 * refreshed, a file-system monitor that the settings name is not started, and nothing is fetched.
 */
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { gitIn, type RunGit } from "./run-git.ts";
import { WorkspaceError } from "./workspace-root.ts";

export interface Git {
  /** Absolute; holds the `HEAD` and `index` of this work tree (of a linked worktree: its own, not the shared one). */
  readonly gitDir: string;
  /** Absolute; what the linked worktrees of a repository share. */
  readonly commonDir: string;
  /**
   * Absolute; the files outside `folder` that decide what is ignored or generated there: of this clone, of the user, and
   * of the folders between the repository's root and `folder`. Any may not be there.
   */
  readonly ruleFiles: readonly string[];
  /**
   * Paths of the work tree, tracked or untracked and not ignored, at or beneath `scope`. A tracked file may be gone from
   * the disk; a submodule or nested repository is one entry, its folder, perhaps with a `/` at its end.
   *
   * @param scope relative paths of files or folders; `""` is everything
   */
  list(scope: readonly string[]): Promise<string[]>;
  /** Folders that are ignored as a whole, topmost only, at or beneath `scope`. */
  ignoredFolders(scope: readonly string[]): Promise<string[]>;
  /**
   * @param path there or not
   * @returns the rule by which git ignores it: `.gitignore:3: *.log`. A tracked file is not ignored.
   */
  whyIgnored(path: string): Promise<string | undefined>;
  /** Those of the paths that an attribute calls generated (`linguist-generated`). */
  generated(paths: readonly string[]): Promise<string[]>;
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
    const [places, named] = await Promise.all([
      run([
        ...["rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--git-common-dir"],
        ...["--git-path", "info/exclude", "--git-path", "info/attributes", "--show-cdup"],
      ]),
      // Says nothing, and fails, where neither is set.
      run(["config", "--type=path", "--get-regexp", "^core\\.(excludes|attributes)file$"]).catch(() => ""),
    ]);
    const [inside, gitDir = "", commonDir = "", exclude = "", attributes = "", up = ""] = lines(places);
    if (inside !== "true") return notOpened("no-repository", "inside a .git folder or a bare repository");
    const shared = resolve(folder, commonDir);
    const git = gitOf(run, {
      gitDir: realpathSync(resolve(folder, gitDir)),
      commonDir: realpathSync(shared),
      ruleFiles: [
        ...[exclude, attributes].map((file) => resolve(folder, file)),
        ...userRuleFiles(named, env),
        ...[join(shared, "config"), ...foldersAbove(folder, up).flatMap(ruleFilesIn)],
      ],
    });
    if (up && (await isOutsidersFolder(run, git)))
      return notOpened("no-repository", "ignored by the repository around it");
    return { git };
  } catch (error) {
    const detail = error instanceof Error ? error.message.trim() : String(error);
    if (error instanceof WorkspaceError) return notOpened("failed", detail);
    if (/ENOENT/.test(detail)) return notOpened("not-found", "git is not on the PATH");
    return notOpened(/not a git repository/i.test(detail) ? "no-repository" : "failed", detail);
  }
}

/** Longer than this it is a lock that a crash left, or a checkout worth following as it goes. */
const GIT_WORKS_MS = 10_000;

/** Git holds this lock while it moves files: what lies there now is neither the one tree nor the other. */
export function isGitAtWork(gitDir: string): boolean {
  try {
    return Date.now() - statSync(join(gitDir, "index.lock")).mtimeMs < GIT_WORKS_MS;
  } catch {
    // No lock; or the folder is gone, or a file by now.
    return false;
  }
}

const notOpened = (why: Exclude<GitAnswer, { git: Git }>["why"], detail: string): GitAnswer => ({
  git: undefined,
  why,
  detail,
});

/**
 * The user's own rules, and the settings that could name others.
 *
 * @param named what git says of `core.excludesFile` and `core.attributesFile`, one per line
 */
function userRuleFiles(named: string, env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME ?? homedir();
  const presets = join(env.XDG_CONFIG_HOME ?? join(home, ".config"), "git");
  return [
    ...lines(named).map((line) => line.slice(line.indexOf(" ") + 1)),
    ...["ignore", "attributes", "config"].map((name) => join(presets, name)),
    join(home, ".gitconfig"),
  ];
}

/** @param up how git leads from `folder` to the root of the work tree: `../../` */
const foldersAbove = (folder: string, up: string): string[] =>
  up
    .split("/")
    .slice(0, -1)
    .map((_, i) => resolve(folder, "../".repeat(i + 1)));

const ruleFilesIn = (folder: string): string[] =>
  [".gitignore", ".gitattributes"].map((n) => join(folder, n));

function gitOf(run: RunGit, places: Pick<Git, "gitDir" | "commonDir" | "ruleFiles">): Git {
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
    async whyIgnored(path) {
      const answer = await run(["check-ignore", "--verbose", "--", `./${path}`]);
      const [, file, line, pattern] = /^(.*?):(\d+):(.*)\t[^\t]*$/s.exec(answer) ?? [];
      // It also tells which rule keeps a path.
      return pattern === undefined || pattern.startsWith("!") ? undefined : `${file}:${line}: ${pattern}`;
    },
    async generated(paths) {
      const found: string[] = [];
      for (const group of inGroups(paths)) {
        const answer = await run(["check-attr", "-z", GENERATED, "--", ...group.map((path) => `./${path}`)]);
        const fields = answer.split("\0");
        for (let i = 0; i + 2 < fields.length; i += 3)
          if (/^(?:set|true)$/.test(fields[i + 2] ?? "")) found.push((fields[i] ?? "").slice("./".length));
      }
      return found;
    },
    async remoteName() {
      const url = (await run(["config", "--get", "remote.origin.url"]).catch(() => "")).trim();
      return /([^/:\\]+?)(?:\.git)?[/\\]*$/.exec(url)?.[1];
    },
  };
}

/** The workspace is a folder that the repository around it ignores and tracks nothing of: that git knows nothing here. */
async function isOutsidersFolder(run: RunGit, git: Git): Promise<boolean> {
  return (await git.whyIgnored(".")) !== undefined && (await run(["ls-files", "-z", "--cached"])) === "";
}

/** As GitHub's linguist reads it: `*.pb.go linguist-generated` or `=true`. */
export const GENERATED = "linguist-generated";

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
