/** Successive versions of a package, committed one after another in a git repository, and what each commit added. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MAX_FILE_BYTES } from "@dhi/server/instant/repository-files";
import { codeFilesOf } from "../../eval/corpus.ts";
import { sourcePackages } from "../../source-packages.ts";
import { git } from "../git.ts";
import type { History } from "./histories.ts";

/** One version after another. */
export interface Commit {
  /** Path → text, before and after it. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  readonly runs: readonly AddedRun[];
  /** Lines it took away anywhere, without white space around them: what it adds of those has only moved. */
  readonly removed: ReadonlySet<string>;
}

/** Lines that stand together and that the commit added. */
export interface AddedRun {
  readonly path: string;
  /** What the file was called before; `undefined` for a new one. */
  readonly pathBefore: string | undefined;
  /** 0-based, in the file after the commit. */
  readonly start: number;
  readonly lines: number;
}

/**
 * @param say gets one line for each version that cannot be had
 * @returns one commit less than there are versions
 */
export async function commitsOf(
  { versions, only, ...spec }: History,
  say: (line: string) => void,
): Promise<Commit[]> {
  const packages = await sourcePackages(
    say,
    versions.map((version) => ({ ...spec, version })),
  );
  const dir = mkdtempSync(join(tmpdir(), "dhi-instant-"));
  try {
    git(dir, "init", "-q");
    const commits: Commit[] = [];
    let before: ReadonlyMap<string, string> | undefined;
    for (const { dir: sources } of packages) {
      const after = new Map(codeFilesOf(sources, { only, mostBytes: MAX_FILE_BYTES }));
      commitAll(dir, after);
      if (before) commits.push({ before, after, ...changesOf(dir) });
      before = after;
    }
    return commits;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function commitAll(dir: string, files: ReadonlyMap<string, string>): void {
  for (const name of readdirSync(dir))
    if (name !== ".git") rmSync(join(dir, name), { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  git(dir, "add", "--all", "--force");
  git(dir, "commit", "-q", "--allow-empty", "-m", "version");
}

function changesOf(dir: string): Pick<Commit, "runs" | "removed"> {
  const diff = git(dir, "diff", "-M", "-U0", "--no-color", "--no-ext-diff", "HEAD~1", "HEAD");
  return readDiff(diff);
}

/** @param diff as `git diff -U0` prints it, with paths that need no quotes */
export function readDiff(diff: string): Pick<Commit, "runs" | "removed"> {
  const runs: AddedRun[] = [];
  const removed = new Set<string>();
  let path = "";
  let pathBefore: string | undefined;
  /** Lines of the hunk that are still to come: they may look like a header. */
  let left = 0;
  for (const line of diff.split("\n")) {
    if (left > 0) {
      if (line.startsWith("\\")) continue;
      left--;
      if (line.startsWith("-")) removed.add(line.slice(1).trim());
      continue;
    }
    if (line.startsWith("--- "))
      pathBefore = line === "--- /dev/null" ? undefined : line.slice("--- a/".length);
    else if (line.startsWith("+++ ")) path = line.slice("+++ b/".length);
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!hunk) continue;
    const [, gone = "1", start, lines = "1"] = hunk;
    left = Number(gone) + Number(lines);
    if (Number(lines) > 0) runs.push({ path, pathBefore, start: Number(start) - 1, lines: Number(lines) });
  }
  return { runs, removed };
}
