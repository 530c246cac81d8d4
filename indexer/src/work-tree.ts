/** What lies in the workspace right now: git's list (or a walk, where there is no git), each path with its stat. */
import { existsSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { join, posix } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SkipReason } from "@dhi/core/chunk";
import type { Logger } from "@dhi/core/log";
import { isReplaced, isUnsayable, sayablePart } from "./bad-name.ts";
import { type Git, isGitAtWork } from "./git.ts";
import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";
import { changedMs } from "./read-source.ts";
import { createRepositories } from "./repositories.ts";
import { skipByStat } from "./skip-reason.ts";
import { walkFolder, whyIgnoredByFolder } from "./walk-folder.ts";

export interface TreeFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** See {@link changedMs}; `null` means: look inside. */
  readonly changedMs: number | null;
  /** Known without opening it. */
  readonly skip: SkipReason | undefined;
}

export interface WorkTree {
  /** Looks for repositories anew: a folder can become one, and stop being one, while it is watched. */
  refresh(): Promise<void>;
  /** @param scope paths of files and folders; `""` is everything */
  files(scope: readonly string[]): Promise<TreeFile[]>;
  /**
   * The same for files that were in `files` of this very tree: what counts in it is known, so nobody is asked.
   *
   * @returns `undefined` when one is no plain file any more
   */
  again(paths: readonly string[]): TreeFile[] | undefined;
  /** Whether the path, be it there or not, would stay out of `files`. */
  isIgnored(path: string): Promise<boolean>;
  /** @returns the rule by which it does and where that stands, in words */
  whyIgnored(path: string): Promise<string | undefined>;
  /** Folders beneath which nothing is in `files`, as git and the last full listing know them; lists once if none has. */
  ignoredFolders(): Promise<string[]>;
  /** The workspace's own repository, as of the last `refresh`; `undefined` for a folder that is not in one. */
  git(): Git | undefined;
  /** A linked worktree of the workspace's own repository: the same code, on another branch. */
  isLinkedWorktree(path: string): boolean;
  /** Changes whenever git moves the tree, and with the rules outside the tree for what counts in it. */
  stamp(): string;
  /** Git is moving files: what lies there now is neither the one tree nor the other. */
  isMoving(): boolean;
}

export interface WorkTreeOptions {
  /** Real path: no symbolic link in it. */
  readonly root: string;
  /** Dhi's own state, when it lies inside the workspace: neither listed nor watched. */
  readonly stateFolder: string | undefined;
  readonly maxFileBytes: number;
  readonly log: Pick<Logger, "warn">;
}

/** Rules for Dhi alone, in the syntax of `.gitignore`, at any level; they hold for tracked files too. */
export const DHI_IGNORE = ".dhiignore";

export function createWorkTree({ root, stateFolder, maxFileBytes, log }: WorkTreeOptions): WorkTree {
  const repositories = createRepositories(root, log);
  /** Topmost only, as of the last full listing. */
  let leftOutFolders: readonly string[] = [];
  let firstListing: Promise<unknown> | undefined;

  const isState = (path: string) =>
    stateFolder !== undefined && (path === stateFolder || path.startsWith(`${stateFolder}/`));

  async function list(scope: readonly string[]): Promise<string[]> {
    const paths: string[] = [];
    for (const { folder, repository, inside } of repositories.byOwner(scope)) {
      const at = folder ? `${folder}/` : "";
      const listed = await (repository?.git.list(inside) ?? walkFolder(join(root, folder), inside));
      for (const path of listed) paths.push(at + path);
    }
    return paths;
  }

  function files(scope: readonly string[]): Promise<TreeFile[]> {
    const listing = listFiles(scope);
    // Whoever waits for it hears of a failure from the one who asked.
    if (scope.includes("")) firstListing ??= listing.catch(() => {});
    return listing;
  }

  async function listFiles(scope: readonly string[]): Promise<TreeFile[]> {
    const isFull = scope.includes("");
    const isPlainFolder = rememberPlainFolders(root);
    const dhiRules = readIgnoreRules(root, DHI_IGNORE);
    const found: TreeFile[] = [];
    const met = new Set<string>();
    const leftOut = new Set<string>();
    const asked = topmost(scope.map(sayablePart));
    const paths = await list(asked.filter((path) => isPlainFolder(parentOf(path))));
    for (let i = 0; i < paths.length; i++) {
      if (i % 500 === 499) await nextTurn();
      const path = (paths[i] ?? "").replace(/\/$/, "");
      // Git lists a tracked file even when a symbolic link has taken the place of its folder.
      if (isState(path) || !isPlainFolder(parentOf(path))) continue;
      const stat = statOf(join(root, path));
      if (!stat) {
        if (isUnsayable(root, path)) found.push({ path, bytes: 0, changedMs: 0, skip: "bad-name" });
        continue;
      }
      if (dhiRules.find(path, stat.isDirectory())) {
        if (isFull) leftOut.add(stat.isDirectory() ? path : parentOf(path));
        continue;
      }
      if (stat.isDirectory()) met.add(path);
      if (stat.isDirectory() && (await repositories.open(path))) {
        for (const inner of await list([`${path}/`])) paths.push(inner);
      } else if (!stat.isDirectory() || standsFor(path)) found.push(treeFile(path, stat));
    }
    if (isFull) {
      repositories.keepOnly(met);
      leftOutFolders = topmostLeftOut(leftOut, dhiRules);
      findAttributes(found);
    }
    const isInScope = (path: string): boolean =>
      scope.includes(path) || (path !== "" && isInScope(parentOf(path)));
    return withoutGenerated(scope.some(isReplaced) ? found.filter((file) => isInScope(file.path)) : found);
  }

  function again(paths: readonly string[]): TreeFile[] | undefined {
    const isPlainFolder = rememberPlainFolders(root);
    const found: TreeFile[] = [];
    for (const path of paths) {
      const stat = isPlainFolder(parentOf(path)) ? statOf(join(root, path)) : undefined;
      if (!stat?.isFile()) return undefined;
      found.push(treeFile(path, stat));
    }
    return found;
  }

  /** A repository that is not looked into, or is not here yet; any other folder took the place of a tracked file. */
  const standsFor = (folder: string): boolean =>
    existsSync(join(root, folder, ".git")) || isEmpty(join(root, folder));

  const treeFile = (path: string, stat: Stats): TreeFile => ({
    path,
    bytes: stat.size,
    changedMs: changedMs(stat),
    skip: skipByStat(path, stat, maxFileBytes),
  });

  /** @param listed everything */
  function findAttributes(listed: readonly TreeFile[]): void {
    const inTree = repositories.byOwner(
      listed.map((f) => f.path).filter((path) => posix.basename(path) === ".gitattributes"),
    );
    for (const [folder, repository] of repositories.all()) {
      const inside = inTree.find((group) => group.folder === folder)?.inside ?? [];
      const files = inside.map((path) => join(root, folder, path));
      repository.generated.setRuleFiles([...files, ...repository.git.ruleFiles]);
    }
  }

  async function withoutGenerated(found: readonly TreeFile[]): Promise<TreeFile[]> {
    const mayBeAny = [...repositories.all().values()].some((one) => one.generated.mayBeAny());
    if (!mayBeAny) return [...found];
    const generated = new Set<string>();
    for (const { folder, repository, inside } of repositories.byOwner(
      found.filter((f) => !f.skip).map((f) => f.path),
    ))
      for (const path of (await repository?.generated.among(inside)) ?? [])
        generated.add(folder ? `${folder}/${path}` : path);
    return found.map((file) => (generated.has(file.path) ? { ...file, skip: "generated" } : file));
  }

  async function whyIgnored(path: string): Promise<string | undefined> {
    if (isState(path)) return "Dhi keeps its own state there";
    // Git lists nothing of its own folder, and calls nothing in it ignored either.
    if (path.split("/").includes(".git")) return "git keeps its own state there";
    if (!rememberPlainFolders(root)(parentOf(path))) return "a folder above it is a symbolic link";
    const worktree = [...repositories.linkedWorktrees()].find((folder) => path.startsWith(`${folder}/`));
    if (worktree)
      return `${worktree} is a linked worktree of this repository, the same code on another branch`;
    const rule = readIgnoreRules(root, DHI_IGNORE).find(
      path,
      statOf(join(root, path))?.isDirectory() ?? false,
    );
    if (rule) return ignoredBy(`${rule.file}:${rule.line}: ${rule.pattern}`);
    const { repository, inside } = repositories.ownerOf(path);
    if (!repository) return whyIgnoredByFolder(root, path);
    const gitsRule = await repository.git.whyIgnored(inside);
    return gitsRule && ignoredBy(gitsRule);
  }

  return {
    refresh: repositories.refresh,
    files,
    again,
    git: repositories.own,
    whyIgnored,
    isIgnored: async (path) => (await whyIgnored(path)) !== undefined,
    async ignoredFolders() {
      await (firstListing ?? files([""]));
      const all = [...leftOutFolders, ...repositories.linkedWorktrees()];
      for (const [folder, { git }] of repositories.all())
        for (const path of await git.ignoredFolders([""])) all.push(folder ? `${folder}/${path}` : path);
      return all;
    },
    isLinkedWorktree: (path) => repositories.linkedWorktrees().has(path),
    stamp: () =>
      [
        statOf(join(root, ".git"))?.ino,
        ...[".gitignore", DHI_IGNORE].map((name) => join(root, name)).map(timeOf),
        ...[...repositories.all().values()].flatMap(({ git }) =>
          [join(git.gitDir, "HEAD"), join(git.gitDir, "index"), ...git.ruleFiles].map(timeOf),
        ),
      ].join(" "),
    isMoving: () => [...repositories.all().values()].some(({ git }) => isGitAtWork(git.gitDir)),
  };
}

const ignoredBy = (rule: string): string => `ignored by ${rule}`;

function timeOf(file: string): string {
  const stat = statOf(file);
  // Git replaces its files: two within one tick of the clock differ by number.
  return stat ? `${stat.mtimeMs}/${stat.ino}` : "-";
}

/** @returns the topmost folders that the rules leave out as a whole, at or above the given ones */
function topmostLeftOut(folders: ReadonlySet<string>, rules: IgnoreRules): string[] {
  const found = new Set<string>();
  for (const folder of folders) {
    const names = folder.split("/");
    const above = names.map((_, i) => names.slice(0, i + 1).join("/"));
    const topmost = above.find((path) => path !== "" && rules.find(path, true));
    if (topmost) found.add(topmost);
  }
  return [...found];
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** Without paths that lie beneath another: git is confused by a nested repository that is named together with its inside. */
function topmost(scope: readonly string[]): string[] {
  if (scope.includes("")) return [""];
  const all = new Set(scope);
  const isBeneath = (path: string): boolean => path !== "" && (all.has(path) || isBeneath(parentOf(path)));
  return [...all].filter((path) => !isBeneath(parentOf(path)));
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Answers for one listing whether a folder is reached without a symbolic link. A folder that is gone counts: see stat. */
function rememberPlainFolders(root: string): (folder: string) => boolean {
  const known = new Map<string, boolean>([["", true]]);
  return function isPlain(folder: string): boolean {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const plain = isPlain(parentOf(folder)) && !statOf(join(root, folder))?.isSymbolicLink();
    known.set(folder, plain);
    return plain;
  };
}

/** @returns `undefined` for what is not there, or lies in a folder that may not be entered */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
