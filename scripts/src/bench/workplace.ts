/** Where repositories, indexes and results of benches lie: in the cache, so that an interrupted run goes on. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, sourcePackages } from "../source-packages.ts";
import { sourcesOf, uniqueName, withDefinition } from "./edit-source.ts";
import { git } from "./git.ts";
import { makeRepository } from "./make-repository.ts";
import { createRandom, pickSome } from "./random.ts";

/** A branch beside `main` on which up to 500 files are others. */
export const CHANGED_BRANCH = "changed";

/** Raised when `makeRepository` makes other repositories. */
const GENERATOR = 1;

export interface Workplace {
  /** The repository, at `main` and clean. */
  readonly repository: string;
  /** An empty DHI_HOME; those of earlier runs are gone. */
  freshHome(): string;
  /** Puts the repository back to how it was made. */
  reset(): void;
}

/** @param say gets a line before what takes long */
export async function prepareWorkplace(files: number, say: (line: string) => void): Promise<Workplace> {
  const dir = join(cacheFolder("bench"), `${files}-${GENERATOR}`);
  const repository = join(dir, "repository");
  function reset(): void {
    git(repository, "checkout", "-qf", "main");
    git(repository, "reset", "-q", "--hard", ORIGINAL);
    git(repository, "clean", "-qfdx");
  }
  if (existsSync(repository)) {
    reset();
  } else {
    say(`Making a repository of ${files} files…`);
    mkdirSync(dir, { recursive: true });
    const unfinished = join(dir, "unfinished");
    makeRepository({ dir: unfinished, packages: await sourcePackages(say), files });
    git(unfinished, "tag", ORIGINAL);
    commitBranch(unfinished, Math.min(MOST_CHANGED, Math.floor(files / 2)));
    renameSync(unfinished, repository);
  }
  const homes = join(dir, "homes");
  rmSync(homes, { recursive: true, force: true });
  mkdirSync(homes);
  return { repository, reset, freshHome: () => mkdtempSync(join(homes, "home-")) };
}

/** Tag of the commit everything is set back to. */
const ORIGINAL = "original";
const MOST_CHANGED = 500;

/** `changed` is `main` with that many files edited. */
function commitBranch(repository: string, files: number): void {
  git(repository, "checkout", "-q", "-b", CHANGED_BRANCH);
  const random = createRandom(files);
  for (const path of pickSome(sourcesOf(repository), files, random)) {
    const file = join(repository, path);
    writeFileSync(file, withDefinition(path, readFileSync(file, "utf8"), uniqueName("branch", random)));
  }
  git(repository, "commit", "-qam", "change some files");
  git(repository, "checkout", "-q", "main");
}
