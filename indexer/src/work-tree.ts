/** What lies in the workspace right now: git's list (or a walk, where there is no git), each path with its stat. */
import { existsSync, lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SkipReason } from "@dhi/core/chunk";
import type { Logger } from "@dhi/core/log";
import { type Git, openGit } from "./git.ts";
import { changedMs } from "./read-source.ts";
import { skipByStat } from "./skip-reason.ts";
import { isIgnoredByFolder, walkFolder } from "./walk-folder.ts";

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
  /** Whether the path, be it there or not, would stay out of `files`. */
  isIgnored(path: string): Promise<boolean>;
  /** Folders beneath which nothing is in `files`, as git knows them; empty without git. */
  ignoredFolders(): Promise<string[]>;
  /** The workspace's own repository, as of the last `refresh`; `undefined` for a folder that is not in one. */
  git(): Git | undefined;
}

export interface WorkTreeOptions {
  /** Real path: no symbolic link in it. */
  readonly root: string;
  /** Dhi's own state, when it lies inside the workspace: neither listed nor watched. */
  readonly stateFolder: string | undefined;
  readonly maxFileBytes: number;
  readonly log: Pick<Logger, "warn">;
}

export function createWorkTree({ root, stateFolder, maxFileBytes, log }: WorkTreeOptions): WorkTree {
  let git: Git | undefined;
  let warned = false;
  /** Submodules and repositories inside the workspace; found by the first listing that meets them. */
  const nested = new Map<string, Git>();

  async function refresh(): Promise<void> {
    const answer = await openGit(root);
    if (answer.git || answer.why === "no-repository") git = answer.git;
    else if (!warned) {
      warned = true;
      log.warn(`cannot ask git (${answer.detail}): every file counts that no .gitignore excludes`);
    }
    for (const folder of nested.keys()) if (!existsSync(join(root, folder, ".git"))) nested.delete(folder);
  }

  const isState = (path: string) =>
    stateFolder !== undefined && (path === stateFolder || path.startsWith(`${stateFolder}/`));

  /** The repository that speaks for a path, and the path as it says it. */
  function ownerOf(path: string): { folder: string; git: Git | undefined; inside: string } {
    let folder = "";
    for (const n of nested.keys()) if (path.startsWith(`${n}/`) && n.length > folder.length) folder = n;
    return folder
      ? { folder, git: nested.get(folder), inside: path.slice(folder.length + 1) }
      : { folder, git, inside: path };
  }

  async function list(scope: readonly string[]): Promise<string[]> {
    const byFolder = new Map<string, string[]>();
    for (const path of scope) {
      const { folder, inside } = ownerOf(path);
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), inside]);
    }
    const paths: string[] = [];
    for (const [folder, inside] of byFolder) {
      const owner = folder ? nested.get(folder) : git;
      const at = folder ? `${folder}/` : "";
      const listed = owner ? await owner.list(inside) : await walkFolder(join(root, folder), inside);
      for (const path of listed) paths.push(at + path);
    }
    return paths;
  }

  async function files(scope: readonly string[]): Promise<TreeFile[]> {
    const isPlainFolder = rememberPlainFolders(root);
    const found: TreeFile[] = [];
    const paths = await list(topmost(scope).filter((path) => isPlainFolder(parentOf(path))));
    for (let i = 0; i < paths.length; i++) {
      if (i % 500 === 499) await nextTurn();
      const path = (paths[i] ?? "").replace(/\/$/, "");
      // Git lists a tracked file even when a symbolic link has taken the place of its folder.
      if (isState(path) || !isPlainFolder(parentOf(path))) continue;
      const stat = statOf(join(root, path));
      if (!stat) continue;
      if (stat.isDirectory() && (await openNested(path)))
        for (const inner of await list([`${path}/`])) paths.push(inner);
      else found.push(treeFile(path, stat));
    }
    return found;
  }

  async function openNested(path: string): Promise<boolean> {
    if (nested.has(path)) return true;
    if (!existsSync(join(root, path, ".git"))) return false;
    const answer = await openGit(join(root, path));
    if (answer.git) nested.set(path, answer.git);
    return answer.git !== undefined;
  }

  const treeFile = (path: string, stat: Stats): TreeFile => ({
    path,
    bytes: stat.size,
    changedMs: changedMs(stat),
    skip: skipByStat(path, stat, maxFileBytes),
  });

  return {
    refresh,
    files,
    git: () => git,
    async isIgnored(path) {
      // Git lists nothing of its own folder, and calls nothing in it ignored either.
      if (isState(path) || path.split("/").includes(".git")) return true;
      const owner = ownerOf(path);
      if (!rememberPlainFolders(root)(parentOf(path))) return true;
      return owner.git ? owner.git.isIgnored(owner.inside) : isIgnoredByFolder(root, path);
    },
    async ignoredFolders() {
      const all = git ? await git.ignoredFolders([""]) : [];
      for (const [folder, inner] of nested)
        for (const path of await inner.ignoredFolders([""])) all.push(`${folder}/${path}`);
      return all;
    },
  };
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
