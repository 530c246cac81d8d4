/** What somebody typed, cut from a commit: lines that it added in one place. */
import { execFileSync } from "node:child_process";
import { createRandom, pickSome } from "../random.ts";

export interface Insertion {
  readonly path: string;
  /** The file as it was left, in two: before and after the lines. */
  readonly before: string;
  readonly lines: string;
  readonly after: string;
}

const MIN_LINES = 4;
const MAX_LINES = 14;
/** Commits looked at, the newest. */
const MAX_COMMITS = 400;
/** Of one file only so many, so that a large commit is not everything. */
const MAX_PER_FILE = 2;

/** @returns `count` at most, the same for the same repository, commit and seed */
export function insertionsOf(
  repository: string,
  { count, seed }: { count: number; seed: number },
): Insertion[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  const found: Insertion[] = [];
  const perFile = new Map<string, number>();
  const commits = git("log", `-${MAX_COMMITS}`, "--no-merges", "--format=%H").split("\n").filter(Boolean);
  for (const commit of commits) {
    const diff = git("diff-tree", "-r", "-U0", "--no-color", "--no-renames", "-p", commit, "--", ...SOURCES);
    for (const { path, startLine, lines } of addedIn(diff)) {
      const known = perFile.get(path) ?? 0;
      if (known >= MAX_PER_FILE) continue;
      perFile.set(path, known + 1);
      const all = git("show", `${commit}:${path}`).split("\n");
      found.push({
        path,
        before: all
          .slice(0, startLine - 1)
          .map(withEnd)
          .join(""),
        lines: all.slice(startLine - 1, startLine - 1 + lines).join("\n"),
        after: `\n${all.slice(startLine - 1 + lines).join("\n")}`,
      });
    }
  }
  return pickSome(found, count, createRandom(seed));
}

const SOURCES = ["*.ts", "*.tsx", "*.js", "*.py", "*.go", "*.rs", "*.java"];
const withEnd = (line: string) => `${line}\n`;

/** Hunks that only add, of a size that is typed in one go. */
function* addedIn(diff: string): Generator<{ path: string; startLine: number; lines: number }> {
  let path = "";
  for (const line of diff.split("\n")) {
    if (line.startsWith("+++ ")) path = line.startsWith("+++ b/") ? line.slice(6) : "";
    const hunk = /^@@ -\d+,0 \+(\d+),(\d+) @@/.exec(line);
    if (!hunk || !path) continue;
    const [startLine, lines] = [Number(hunk[1]), Number(hunk[2])];
    if (lines >= MIN_LINES && lines <= MAX_LINES) yield { path, startLine, lines };
  }
}
