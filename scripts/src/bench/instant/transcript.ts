/** What a user sees: some added lines, written with what is shown and right. */
import { createRandom } from "../random.ts";
import type { AddedRun, Commit } from "./commits.ts";
import { dhi } from "./dhi.ts";
import { isRight, shownAt, withRepository } from "./guesser.ts";
import { tokenEnds } from "./positions.ts";
import type { Repository } from "./repository.ts";

const LINES = 5;
const THRESHOLD = 0.7;

/**
 * Five lines that the last commit added together, `⟦…⟧` around what was taken with one key, and behind each line what was
 * shown in vain.
 */
export function transcript(commits: readonly Commit[], seed: number): string[] {
  const last = [...withRepository(commits)].at(-1);
  if (!last) return [];
  const { commit, repository } = last;
  const long = commit.runs.filter(
    (run) => run.pathBefore !== undefined && run.lines >= LINES && longEnough(commit, run),
  );
  const run = long.length > 0 ? createRandom(seed).pick(long) : undefined;
  const text = run && commit.after.get(run.path);
  if (!run || text === undefined) return [];
  const lines = text.split("\n");
  const suffix = `\n${lines.slice(run.start + run.lines).join("\n")}`;
  return [
    run.path,
    ...Array.from({ length: LINES }, (_, i) => {
      const above = lines.slice(0, run.start + i).map((line) => `${line}\n`);
      return written(repository, run, above.join(""), lines[run.start + i] ?? "", suffix);
    }),
  ];
}

function longEnough({ after, removed }: Commit, { path, start }: AddedRun): boolean {
  const lines =
    after
      .get(path)
      ?.split("\n")
      .slice(start, start + LINES) ?? [];
  return lines.every((line) => line.trim().length > 3 && line.length < 90 && !removed.has(line.trim()));
}

function written(repository: Repository, run: AddedRun, above: string, line: string, suffix: string): string {
  const code = line.trimEnd();
  let column = code.length - code.trimStart().length;
  const ends = tokenEnds(code.slice(column)).map((end) => end + column);
  let text = code.slice(0, column);
  const inVain: string[] = [];
  while (column < code.length) {
    const at = { indexedPath: run.pathBefore ?? run.path, prefix: above + code.slice(0, column), suffix };
    const shown = shownAt(dhi.guess(repository, at), THRESHOLD, at);
    if (shown !== "" && isRight(shown, code.slice(column))) {
      text += `⟦${shown}⟧`;
      column += shown.length;
    } else {
      if (shown !== "" && inVain.at(-1) !== shown) inVain.push(shown);
      const next = ends.find((end) => end > column) ?? code.length;
      text += code.slice(column, next);
      column = next;
    }
  }
  return inVain.length > 0
    ? `${text}    (in vain: ${inVain.map((shown) => shown.trim()).join(" | ")})`
    : text;
}
