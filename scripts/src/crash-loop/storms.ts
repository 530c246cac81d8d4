/** What happens to a work tree while the indexer runs: saves without end, and whole branches. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sourcesOf, uniqueName, withDefinition } from "../bench/edit-source.ts";
import { git, gitBeside } from "../bench/git.ts";
import type { Random } from "../bench/random.ts";

const BRANCHES = ["main", "one", "two"] as const;

/** Beside `main`, which is checked out and clean, branches on which a third of the files are others. */
export function makeBranches(repository: string, random: Random): void {
  for (const branch of BRANCHES.slice(1)) {
    git(repository, "checkout", "-q", "-b", branch, "main");
    const paths = sourcesOf(repository);
    for (let i = 0; i < paths.length / 3; i++) disturb(repository, random.pick(paths), random);
    git(repository, "add", "-A");
    git(repository, "commit", "-q", "-m", branch);
  }
  git(repository, "checkout", "-q", "main");
}

/** While it runs, this process goes on. */
export async function checkOut(repository: string, random: Random): Promise<void> {
  await gitBeside(repository, "checkout", "-qf", random.pick(BRANCHES));
  if (random.next() < 0.5) await gitBeside(repository, "clean", "-qfd");
}

/** One save, deletion, move or new file, as a person or a tool does them. */
export function disturb(repository: string, path: string, random: Random): void {
  const file = join(repository, path);
  const other = (start: string) => join(dirname(file), uniqueName(start, random) + extname(file));
  const chance = random.next();
  if (!existsSync(file)) save(file, `${uniqueName("again", random)} = 1\n`);
  else if (chance < 0.1) rmSync(file);
  else if (chance < 0.2) renameSync(file, other("moved"));
  else if (chance < 0.3) copyFileSync(file, other("copied"));
  else if (chance < 0.4) save(file, firstHalf(readFileSync(file, "utf8")));
  else save(file, withDefinition(path, readFileSync(file, "utf8"), uniqueName("storm", random)));
}

const MOST_PAUSE_MS = 25;

/** Ends by itself. */
export async function saveStorm(repository: string, saves: number, random: Random): Promise<void> {
  const paths = sourcesOf(repository);
  for (let i = 0; i < saves; i++) {
    disturb(repository, random.pick(paths), random);
    await sleep(random.below(MOST_PAUSE_MS));
  }
}

function save(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function firstHalf(text: string): string {
  const lines = text.split("\n");
  return lines.slice(0, Math.ceil(lines.length / 2)).join("\n");
}
