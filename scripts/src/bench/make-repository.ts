/** A repository of any size out of real sources: as many renamed copies of them as it takes. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { languageOf } from "@dhi/core/languages";
import type { SourcePackage } from "../source-packages.ts";
import { git } from "./git.ts";
import { renameIdentifiers, renamePath, wordOf } from "./rename-identifiers.ts";

export interface RepositoryOptions {
  /** Made, and emptied before. */
  readonly dir: string;
  readonly packages: readonly SourcePackage[];
  readonly files: number;
}

/**
 * A copy lies in a folder of its own and its imports lead to its own files. The same sources and number give the same
 * repository. It ends with one commit on `main` and a clean work tree.
 *
 * @throws {RangeError} when the packages have no sources at all
 */
export function makeRepository({ dir, packages, files }: RepositoryOptions): void {
  const sources = packages.map((p) => ({ ...p, paths: sourcePaths(p.dir) }));
  const total = sources.reduce((sum, { paths }) => sum + paths.length, 0);
  if (total === 0) throw new RangeError("no sources to make a repository of");
  rmSync(dir, { recursive: true, force: true });
  let left = files;
  for (let copy = 0; left > 0; copy++) {
    const share = Math.min(1, left / total);
    for (const { name, dir: from, paths } of sources) {
      // From the front, so that whole folders come and their files know each other.
      for (const path of paths.slice(0, Math.min(left, Math.ceil(paths.length * share)))) {
        const to = join(dir, folderOf(copy), renamePath(`${shortName(name)}/${path}`, copy));
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, renameIdentifiers(readFileSync(join(from, path), "utf8"), copy));
        left--;
      }
    }
  }
  git(dir, "init", "-q", "-b", "main");
  // Packing would run beside what is measured.
  git(dir, "config", "gc.auto", "0");
  git(dir, "add", "-A");
  git(dir, "commit", "-q", "-m", "everything");
}

const folderOf = (copy: number): string => `${GROUPS[copy % GROUPS.length]}/${wordOf(copy)}`;
const GROUPS = ["apps", "libs", "services"];

/** As an import names it: `golang.org/x/tools` → `tools`, `@blueprintjs/core` → `core`, `Django` → `django`. */
const shortName = (name: string): string => (name.split("/").at(-1) ?? name).toLowerCase();

/** Larger files are data. */
const MOST_BYTES = 200_000;

/** @returns paths of code and of the text files around it, in order */
function sourcePaths(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && languageOf(entry.name).id !== "plaintext")
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size <= MOST_BYTES)
    .map((file) => file.slice(dir.length + 1).replaceAll("\\", "/"))
    .filter((path) => !SKIPPED.test(path))
    .sort();
}

/** Names that would be taken for something else in a repository. */
const SKIPPED = /(^|\/)(\.[^/]+|node_modules|dist|target|vendor)(\/|$)/;
