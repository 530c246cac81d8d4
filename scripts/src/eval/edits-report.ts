/** `docs/eval/edits.md` and `edits.json`: what recent edits add, repository by repository. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBootstrap, type Estimate, meanOf } from "./bootstrap.ts";
import { MAX_FILES, MIN_FILES } from "./edits-commits.ts";
import type { EditScores } from "./edits-measure.ts";
import { percent, points, table } from "./tables.ts";

export interface EditsRun {
  readonly repository: string;
  /** Of the repository: where its history was read from. */
  readonly head: string;
  /** Of Dhi. */
  readonly commit: string;
  readonly seed: number;
  /** Cursors asked for. */
  readonly count: number;
}

export interface EditsFigures extends EditsRun {
  readonly cursors: number;
  readonly commits: number;
  /** Share of cursors. */
  readonly found: number;
  /** Share of cursors whose very line stands in another file's edit too. */
  readonly repeated: number;
  /** Mean shares of the needed names. */
  readonly inEdits: number;
  readonly without: Estimate;
  readonly with: Estimate;
  readonly adds: Estimate;
}

const RESAMPLES = 2_000;

/** @param scores at least one */
export function editsFigures(scores: readonly EditScores[], run: EditsRun): EditsFigures {
  const bootstrap = createBootstrap(
    scores.map(() => run.repository),
    RESAMPLES,
    run.seed,
  );
  const [without, all] = [scores.map((score) => score.without), scores.map((score) => score.with)];
  return {
    ...run,
    cursors: scores.length,
    commits: new Set(scores.map(({ cursor }) => cursor.commit)).size,
    found: meanOf(scores.map(({ found }) => Number(found))),
    repeated: meanOf(scores.map((score) => Number(isRepeated(score)))),
    inEdits: meanOf(scores.map(({ inEdits }) => inEdits)),
    without: bootstrap.mean(without),
    with: bootstrap.mean(all),
    adds: bootstrap.difference(all, without),
  };
}

const isRepeated = ({ cursor: { continuation, editedText } }: EditScores): boolean =>
  editedText.split("\n").some((line) => line.trim() === continuation.trim());

interface EditsReport {
  readonly repositories: readonly EditsFigures[];
}

/** Replaces an earlier run on the same repository; the others stay. @returns the Markdown */
export function writeEditsReport(dir: string, figures: EditsFigures): string {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, "edits.json");
  const report: EditsReport = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { repositories: [] };
  const repositories = [
    ...report.repositories.filter(({ repository }) => repository !== figures.repository),
    figures,
  ].sort((a, b) => (a.repository < b.repository ? -1 : 1));
  const markdown = editsMarkdown({ repositories });
  writeFileSync(file, `${JSON.stringify({ repositories }, null, 2)}\n`);
  writeFileSync(join(dir, "edits.md"), markdown);
  return markdown;
}

const editsMarkdown = ({ repositories }: EditsReport): string => `# What do recent edits add?

Made by \`npm run eval -- edits --repository DIR --count N --seed S\`, one repository at a time; do not edit. Coverage@1024 as in
[report.md](report.md): of the names that the rest of a line needs from other files, the share that stands in 1,024 tokens of
context. A range in brackets holds 95 % of 2,000 resamples.

${table(
  ["repository", "cursors", "finds something", "names in the edits", "without edits", "with edits", "adds"],
  repositories.map(({ repository, cursors, found, inEdits, without, with: all, adds }) => [
    ...[repository, String(cursors), percent(found), percent(inEdits)],
    ...[percent(without.value), percent(all.value), points(adds)],
  ]),
)}

*Finds something*: cursors for which the leg had a candidate. *Names in the edits*: the share of the needed names that the
commit's other files got in that commit; more the leg cannot show, other legs can.

${repositories.map(runLine).join("\n")}

## How it is measured

- **Commits** are taken newest first: no merges, ${MIN_FILES} to ${MAX_FILES} code files with added lines. The index holds the tree at the commit.
- **The cursor** stands behind the indentation of an added line, at most two in a commit, in different hunks. It is the
  hunk's first line that needs a name: imports are passed over, and words of strings and comments are no names. The rest of
  the line's hunk is cut out of the open file; everything else of the commit is written already.
- **Recent edits** are the commit's hunks in other files, in a random order, and **open files** are those files. Both
  answers get the same ones, through \`POST /v1/prompt\` with the usual legs, with and without \`edits\`.

## What it does not say

- A commit's end is easier than its middle: each of its other files is as it became, so the leg sees more than it would while
  they are still being written.
- Two cursors of one commit are drawn as if independent, which makes ranges somewhat narrow.
- Prose in a docstring of several lines can count as names; it does so for both answers.
`;

const runLine = ({ repository, head, commits, repeated, commit, seed, count }: EditsFigures): string =>
  `- ${repository} at \`${head}\`: ${commits} commits, in ${percent(repeated)} of the cursors the very line stands in another file's edit too; \`--count ${count} --seed ${seed}\`, Dhi ${commit}.`;
