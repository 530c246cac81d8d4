/** The repositories of a workspace: its own, if it has one, and those inside, each of which speaks for its own files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@dhi/core/log";
import { createGeneratedFiles, type GeneratedFiles } from "./generated-files.ts";
import { type Git, openGit } from "./git.ts";

export interface Repository {
  readonly git: Git;
  readonly generated: GeneratedFiles;
}

/** Who speaks for paths; `repository` is `undefined` for a workspace without git. */
export interface Owned<Inside> {
  /** Where the repository lies; `""` for the workspace's own. */
  readonly folder: string;
  readonly repository: Repository | undefined;
  /** As the repository says it. */
  readonly inside: Inside;
}

export interface Repositories {
  /** Looks anew for the workspace's own, and forgets those inside that are gone. */
  refresh(): Promise<void>;
  own(): Git | undefined;
  /** By folder; `""` is the workspace's own. */
  all(): ReadonlyMap<string, Repository>;
  ownerOf(path: string): Owned<string>;
  byOwner(paths: readonly string[]): readonly Owned<string[]>[];
  /** @returns whether a repository lies in the folder that speaks for itself; a linked worktree of the own one does not */
  open(folder: string): Promise<boolean>;
  /** Forgets those inside, and linked worktrees, that a full listing did not meet. */
  keepOnly(met: ReadonlySet<string>): void;
  /** Folders with the same code on another branch. */
  linkedWorktrees(): ReadonlySet<string>;
}

export function createRepositories(root: string, log: Pick<Logger, "warn">): Repositories {
  let own: Repository | undefined;
  let warned = false;
  /** Submodules and others; found by the first listing that meets them. */
  const nested = new Map<string, Repository>();
  const linkedWorktrees = new Set<string>();

  const isThere = (folder: string) => existsSync(join(root, folder, ".git"));
  function forgetUnless(isKept: (folder: string) => boolean): void {
    for (const known of [nested, linkedWorktrees])
      for (const folder of known.keys()) if (!isKept(folder)) known.delete(folder);
  }

  function ownerOf(path: string): Owned<string> {
    let folder = "";
    for (const n of nested.keys()) if (path.startsWith(`${n}/`) && n.length > folder.length) folder = n;
    if (folder === "") return { folder, repository: own, inside: path };
    return { folder, repository: nested.get(folder), inside: path.slice(folder.length + 1) };
  }

  return {
    async refresh() {
      const answer = await openGit(root);
      if (answer.git || answer.why === "no-repository") {
        const isSame = answer.git?.gitDir === own?.git.gitDir;
        own = answer.git && {
          ...asRepository(answer.git),
          ...(isSame && own && { generated: own.generated }),
        };
      } else if (!warned) {
        warned = true;
        log.warn(`cannot ask git (${answer.detail}): every file counts that no .gitignore excludes`);
      }
      forgetUnless(isThere);
      // As a submodule it keeps its state elsewhere: it is opened anew when it is met.
      for (const [folder, { git }] of nested)
        if (!existsSync(join(git.gitDir, "HEAD"))) nested.delete(folder);
    },
    own: () => own?.git,
    all: () => (own ? new Map([["", own], ...nested]) : nested),
    ownerOf,
    byOwner(paths) {
      const groups = new Map<string, Owned<string[]>>();
      for (const path of paths) {
        const { folder, repository, inside } = ownerOf(path);
        const group = groups.get(folder) ?? { folder, repository, inside: [] };
        groups.set(folder, group);
        group.inside.push(inside);
      }
      return [...groups.values()];
    },
    async open(folder) {
      if (nested.has(folder)) return true;
      if (!isThere(folder)) return false;
      const { git } = await openGit(join(root, folder));
      if (git && git.commonDir === own?.git.commonDir) linkedWorktrees.add(folder);
      else if (git) nested.set(folder, asRepository(git));
      return nested.has(folder);
    },
    keepOnly: (met) => forgetUnless((folder) => met.has(folder)),
    linkedWorktrees: () => linkedWorktrees,
  };
}

const asRepository = (git: Git): Repository => ({ git, generated: createGeneratedFiles(git) });
