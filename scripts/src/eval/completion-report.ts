/** Completions, as figures with intervals and as a section of the report. */
import { percentile } from "../bench/figures.ts";
import { type Bootstrap, createBootstrap, type Estimate, meanOf } from "./bootstrap.ts";
import type { Completed, Retrieval } from "./completion-measure.ts";
import type { TestedBodies } from "./completion-tests.ts";
import { groupBy } from "./group-by.ts";
import { table } from "./tables.ts";

export interface CompletionRun {
  readonly set: string;
  readonly seed: number;
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
}

export interface CompletionReport extends CompletionRun {
  readonly engine: string;
  readonly model: string;
  readonly rows: readonly CompletionRow[];
  /** Retrieval on minus off; missing where the engine reads no prompt. */
  readonly gain?: Readonly<Record<Measure, Estimate>>;
  readonly bodies?: TestedBodies;
}

export interface CompletionRow {
  readonly by: "all" | "kind" | "language";
  readonly group: string;
  readonly retrieval: Retrieval;
  readonly cursors: number;
  /** Share of answers with nothing in them. */
  readonly empty: number;
  readonly exact: Estimate;
  readonly similarity: Estimate;
  readonly identifierF1: Estimate;
  /** Of the answers that are not empty, the share that is right as far as it goes. */
  readonly shownRight: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

type Measure = "exact" | "similarity" | "identifierF1";
const measures: readonly Measure[] = ["exact", "similarity", "identifierF1"];

const RESAMPLES = 2_000;

/** @param completed at least one */
export function completionReport(
  completed: readonly Completed[],
  bodies: TestedBodies | undefined,
  run: CompletionRun,
): CompletionReport {
  const { on = [], off = [] } = Object.fromEntries(groupBy(completed, ({ retrieval }) => retrieval));
  const [first] = on;
  const rows = (["all", "kind", "language"] as const).flatMap((by) =>
    [...groupBy(completed, (one) => (by === "all" ? "all" : one.cursor[by]))].flatMap(([group, some]) =>
      [...groupBy(some, ({ retrieval }) => retrieval)].map(([retrieval, answers]) => ({
        ...{ by, group, retrieval },
        ...rowOf(answers, run.seed),
      })),
    ),
  );
  return {
    ...run,
    engine: first?.engine ?? "",
    model: first?.model ?? "",
    rows,
    ...(off.length > 0 && { gain: gainOf(on, off, run.seed) }),
    ...(bodies && { bodies }),
  };
}

export function completionMarkdown(report: CompletionReport): string {
  const { engine, model, rows, gain, bodies, set, seed } = report;
  const cells = rows.map((row) => [
    ...[row.by === "all" ? "all" : `${row.by}: ${row.group}`, row.retrieval, String(row.cursors)],
    ...[percent(row.empty), interval(row.exact), interval(row.similarity), interval(row.identifierF1)],
    ...[percent(row.shownRight), `${row.p50Ms.toFixed(1)} / ${row.p95Ms.toFixed(1)}`],
  ]);
  return `## What the engine completes: ${engine}, ${model}

Asked through \`POST /v1/fim\` as an editor asks. A completion is cut to as many lines as were really written, blank lines and
white space around lines do not count. *Exact* is the share of cursors with the same lines; *similarity* is Levenshtein's
ratio; *identifier F1* compares the sets of identifiers. All three are 0 for an empty answer. *Right of shown* is the share of
the others that are the beginning of the real code, however short. Percent, with 95 % intervals (bootstrap over cursors).

${table(HEAD, cells)}

${gain ? `Retrieval on minus off, in points: ${measures.map((measure) => `${NAMES[measure]} ${interval(gain[measure])}`).join("; ")}.` : "This engine reads no prompt, so retrieval changes nothing for it."}
${bodies ? `\n${bodiesMarkdown(bodies)}\n` : ""}
The ${set} packages, seed ${seed}. ${report.machine}; commit ${report.commit}, ${report.date}.
\`npm run eval -- completion --set ${set} --seed ${seed}\` repeats it with the engine that ENGINE, FIM_MODEL and OLLAMA_HOST name.
`;
}

const HEAD = [
  ...["group", "retrieval", "cursors", "empty", "exact", "similarity", "identifier F1"],
  ...["right of shown", "ms p50 / p95"],
];

const NAMES: Readonly<Record<Measure, string>> = {
  exact: "exact",
  similarity: "similarity",
  identifierF1: "identifier F1",
};

function bodiesMarkdown({ package: name, bodies, passed }: TestedBodies): string {
  const shares = Object.entries(passed).map(
    ([retrieval, n]) => `${n} of ${bodies} (${percent(n / bodies)} %) with retrieval ${retrieval}`,
  );
  return `Bodies of functions of ${name}, each one that its own tests miss when it is taken out: they pass with ${shares.join(", ")}.`;
}

function rowOf(
  answers: readonly Completed[],
  seed: number,
): Omit<CompletionRow, "by" | "group" | "retrieval"> {
  const bootstrap = bootstrapOf(answers, seed);
  const shown = answers.filter(({ isEmpty }) => !isEmpty);
  const times = answers.map(({ ms }) => ms);
  return {
    cursors: answers.length,
    empty: 1 - shown.length / answers.length,
    exact: bootstrap.mean(column(answers, "exact")),
    similarity: bootstrap.mean(column(answers, "similarity")),
    identifierF1: bootstrap.mean(column(answers, "identifierF1")),
    shownRight: meanOf(shown.map(({ isBeginning }) => Number(isBeginning))),
    p50Ms: percentile(times, 50),
    p95Ms: percentile(times, 95),
  };
}

/** @param on and `off` in the same order of cursors */
function gainOf(
  on: readonly Completed[],
  off: readonly Completed[],
  seed: number,
): Record<Measure, Estimate> {
  const bootstrap = bootstrapOf(on, seed);
  const gain = (measure: Measure) => bootstrap.difference(column(on, measure), column(off, measure));
  return { exact: gain("exact"), similarity: gain("similarity"), identifierF1: gain("identifierF1") };
}

/** All in one stratum: of a group there may be one or two cursors in a package, which resampled are always the same. */
const bootstrapOf = (answers: readonly Completed[], seed: number): Bootstrap =>
  createBootstrap(
    answers.map(() => "all"),
    RESAMPLES,
    seed,
  );

const column = (answers: readonly Completed[], measure: Measure): number[] =>
  answers.map((answer) => Number(answer[measure]));

const percent = (share: number): string => (Number.isNaN(share) ? "–" : (100 * share).toFixed(1));
const interval = ({ value, low, high }: Estimate): string =>
  `${percent(value)} (${percent(low)} to ${percent(high)})`;
