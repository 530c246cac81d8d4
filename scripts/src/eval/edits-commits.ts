/** Commits that change several code files: work on one thing, as an editor's recent edits are. */
import { execFileSync } from "node:child_process";
import { isCode } from "./corpus.ts";

/** Lines that a commit wrote in one place. */
export interface Hunk {
  readonly path: string;
  /** In the commit's tree, 1-based. */
  readonly startLine: number;
  /** What was added, without line breaks; never empty. */
  readonly lines: readonly string[];
}

export interface Commit {
  readonly id: string;
  /** Of {@link MIN_FILES} to {@link MAX_FILES} code files. */
  readonly hunks: readonly Hunk[];
}

/** Runs git and returns what it printed. @throws when it exits with another code than 0 */
export type Git = (...args: string[]) => string;

export const MIN_FILES = 2;
/** More are a release, a move or a formatter's work. */
export const MAX_FILES = 8;

const MAX_OUTPUT_BYTES = 2 ** 28;

/** The user's own settings for how a difference looks do not count. */
export const gitIn =
  (dir: string): Git =>
  (...args) =>
    execFileSync("git", ["-c", "core.quotepath=off", ...args], {
      ...{ cwd: dir, encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES },
      stdio: ["ignore", "pipe", "pipe"],
    });

/** Newest first, read as they are asked for; without merges and the first commit. */
export function* severalFileCommits(git: Git): Generator<Commit> {
  for (const id of git("rev-list", "--no-merges", "HEAD").split("\n").filter(Boolean)) {
    const hunks = hunksOf(git("diff-tree", "-r", "-p", "-U0", ...PLAIN, "--no-commit-id", id));
    const files = new Set(hunks.map(({ path }) => path)).size;
    if (files >= MIN_FILES && files <= MAX_FILES) yield { id, hunks };
  }
}

const PLAIN = ["--no-renames", "--no-ext-diff", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"];

function hunksOf(diff: string): Hunk[] {
  return diff
    .split(/^diff --git /m)
    .slice(1)
    .flatMap((file) => {
      const path = /^\+\+\+ b\/([^\t\n]*)/m.exec(file)?.[1];
      return path && isCode(path) ? addedIn(file, path) : [];
    });
}

const addedIn = (file: string, path: string): Hunk[] =>
  [...file.matchAll(/^@@ -\S+ \+(\d+)\S* @@.*\n((?:[-+\\].*\n?)*)/gm)].flatMap(([, start, body = ""]) => {
    const added = body.split("\n").filter((line) => line.startsWith("+"));
    return added.length ? { path, startLine: Number(start), lines: added.map((line) => line.slice(1)) } : [];
  });
