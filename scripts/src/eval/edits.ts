/** `npm run eval -- edits`: what knowing the recent edits adds, on the commits of a repository. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeRun } from "../bench/report.ts";
import { gitIn } from "./edits-commits.ts";
import { cutEditCursors, type EditCursor } from "./edits-cursors.ts";
import { measureEdits } from "./edits-measure.ts";
import { editsFigures, writeEditsReport } from "./edits-report.ts";
import { optionsOr, outFlag, sayInstead, wholeNumber } from "./flags.ts";
import { serve } from "./served.ts";

const usage = `npm run eval -- edits --repository DIR [--count N] [--seed S] [--out DIR]

  --repository DIR  a git repository with its history, bare or not; nothing is written to it. Its folder's name is its name
  --count N         cursors, two of each commit at most (default 60)
  --seed S          another choice of cursors and resamples (default 1)
  --out DIR         where edits.json and edits.md go (default docs/eval)`;

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") return sayInstead(options, usage);
  const { repository, count, seed, out } = options;
  const { commit } = describeRun(root);
  const name = basename(repository);
  const git = gitIn(repository);
  const head = git("rev-parse", "--short=12", "HEAD").trim();
  const cursors = take(count, cutEditCursors(git, name, seed));
  if (!cursors.length) {
    say(`${name} has no commit with such a line.`);
    return 1;
  }
  say(`${cursors.length} cursors`);
  const scores = await inClone(repository, name, cursors);
  const figures = editsFigures(scores, { repository: name, head, commit, seed, count });
  say(`\n${writeEditsReport(out, figures)}`);
  return 0;
}

async function inClone(repository: string, name: string, cursors: readonly EditCursor[]) {
  const work = mkdtempSync(join(tmpdir(), "dhi-eval-edits-"));
  try {
    const dir = join(work, name);
    gitIn(work)("clone", "--quiet", "--shared", "--no-checkout", repository, dir);
    const home = join(work, ".dhi");
    const served = await serve({ corpora: [{ name, dir }], home, embedder: "hash" });
    try {
      return await measureEdits(served, dir, cursors, (done) => {
        if (done % PROGRESS_EVERY === 0) say(`  ${done} done`);
      });
    } finally {
      await served.close();
    }
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

const PROGRESS_EVERY = 10;

function take<T>(n: number, items: Iterable<T>): T[] {
  const taken: T[] = [];
  for (const item of items) if (taken.push(item) === n) break;
  return taken;
}

interface Options {
  readonly repository: string;
  readonly count: number;
  readonly seed: number;
  readonly out: string;
}

/** @returns what to print instead: the usage, or what is wrong */
const readOptions = (args: readonly string[]): Options | string =>
  optionsOr(() => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        repository: { type: "string" },
        count: { type: "string", default: "60" },
        seed: { type: "string", default: "1" },
        out: outFlag,
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return usage;
    if (!values.repository) throw new Error("--repository wants a folder with a git repository");
    return {
      repository: resolve(values.repository),
      count: wholeNumber("count", values.count, 1),
      seed: wholeNumber("seed", values.seed),
      out: values.out,
    };
  });

const say = (line: string): void => console.log(line);
