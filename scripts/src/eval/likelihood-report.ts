/** Nats by method, with intervals, as data and as a section of the report. */
import { DHI } from "./ask-methods.ts";
import { createBootstrap, type Estimate, meanOf } from "./bootstrap.ts";
import { groupBy } from "./group-by.ts";
import { CONTEXT_TOKENS } from "./likelihood-contexts.ts";
import type { CursorNats } from "./likelihood-measure.ts";
import { table } from "./tables.ts";

export interface LikelihoodRun {
  readonly set: string;
  readonly seed: number;
  /** Cursors of each package that were asked for. */
  readonly perPackage: number;
  /** Cursors that were to be measured; fewer are when the time ends before. */
  readonly wanted: number;
  readonly model: string;
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
}

export interface LikelihoodReport extends LikelihoodRun {
  readonly contextTokens: number;
  readonly cursors: number;
  /** Cursors whose continuation has a name that only other files show. */
  readonly cursorsWithNames: number;
  readonly methods: readonly MethodNats[];
  readonly groups: readonly GroupNats[];
}

/** Nats per token, lower is better; a difference below 0 says that Dhi's context made the code likelier. */
interface MethodNats {
  readonly method: string;
  readonly all: number;
  readonly dhiMinusAll: Estimate;
  readonly names: number;
  readonly dhiMinusNames: Estimate;
  /** Share of the cursors for which Dhi's prompt was another one. */
  readonly differs: number;
}

interface GroupNats {
  readonly by: "kind" | "language" | "package";
  readonly group: string;
  readonly cursors: number;
  /** Dhi against no context. */
  readonly all: Estimate;
  readonly names: Estimate;
}

const NO_CONTEXT = "no context";
const RESAMPLES = 2_000;

export function likelihoodReport(results: readonly CursorNats[], run: LikelihoodRun): LikelihoodReport {
  const compare = comparison(results, run.seed);
  const methods = Object.keys(results[0]?.all ?? {}).sort((a, b) => order(a) - order(b));
  return {
    ...run,
    contextTokens: CONTEXT_TOKENS,
    cursors: results.length,
    cursorsWithNames: results.filter(({ names }) => !Number.isNaN(names[DHI])).length,
    methods: methods.map((method) => ({
      method,
      all: meanOf(column(results, "all", method)),
      dhiMinusAll: compare("all", method),
      names: meanOf(column(results, "names", method)),
      dhiMinusNames: compare("names", method),
      differs: meanOf(results.map(({ prompts }) => (prompts[method] === prompts[DHI] ? 0 : 1))),
    })),
    groups: (["kind", "language", "package"] as const).flatMap((by) =>
      [...groupBy(results, ({ cursor }) => cursor[by])].map(([group, some]) => {
        const within = comparison(some, run.seed);
        const [all, names] = [within("all", NO_CONTEXT), within("names", NO_CONTEXT)];
        return { by, group, cursors: some.length, all, names };
      }),
    ),
  };
}

export function likelihoodMarkdown(report: LikelihoodReport): string {
  const { model, cursors, wanted, cursorsWithNames, contextTokens, set, seed, perPackage } = report;
  const methods = report.methods.map(({ method, all, dhiMinusAll, names, dhiMinusNames, differs }) =>
    method === DHI
      ? [method, digits(all), "", digits(names), "", ""]
      : [
          method,
          ...[digits(all), signed(dhiMinusAll), digits(names), signed(dhiMinusNames)],
          `${Math.round(100 * differs)} %`,
        ],
  );
  const groups = report.groups.map(({ by, group, cursors, all, names }) => [
    ...[`${by}: ${group}`, String(cursors)],
    ...[signed(all), signed(names)],
  ]);
  return `## How likely the real code becomes

Nats (−ln p) per token of what really stands at the cursor, under ${model.split(" ")[0]}: how much the snippets help a language
model, with far less noise than exact match has. Lower is better. The model knows no infill, so it reads the snippets
(${contextTokens} tokens), the path and the last 640 characters before the cursor, the same for every method but for the snippets, and
nothing from behind the cursor. Each cursor counts the same; of a body the first 48 tokens are scored. *On names* are the
tokens of identifiers that only other files show (${cursorsWithNames} cursors have some). *Dhi − it* is the mean difference on the
same cursors with its 95 % interval (paired bootstrap over cursors, ${RESAMPLES} resamples): below 0, Dhi is better. *Other
prompt* is the share of cursors where the method's prompt is not Dhi's.

${table(["method", "nats/token", "Dhi − it", "on names", "Dhi − it", "other prompt"], methods)}

Dhi against no context, by group:

${table(["group", "cursors", "Dhi − it", "Dhi − it, on names"], groups)}

${cursors} of ${wanted} cursors of the ${set} packages, seed ${seed}. ${report.machine}; commit ${report.commit}, ${report.date}.
\`npm run eval -- likelihood --set ${set} --seed ${seed} --per-package ${perPackage}\` repeats it.

${WHAT_LIMITS_IT}`;
}

/** Found with cursors of the development packages, by hand; a run on the test packages changes nothing of it. */
const WHAT_LIMITS_IT = `### What limits it

"Better than every baseline" is not reached: Dhi is clearly better than no context, and not better than BM25 windows. Looked
into on 55 cursors of the development packages (seed 1), methods side by side: Dhi 0.575 nats, BM25 windows 0.552 (Dhi − it +0.024, −0.041 to
+0.089), vector only 0.575, no context 0.721, BM25 oracle 0.451. On names: 0.701, 0.734, 0.854, 1.159, 0.443.

- **Little is left to gain.** With the answer in its query, which no method has, BM25 is 0.12 to 0.14 nats below Dhi: that is what
  choosing other snippets of this size could bring at most. What two good methods differ by is a fifth of it.
- **Noise.** The difference between two methods scatters by 0.24 nats from cursor to cursor. To tell 0.03 from nothing takes some 250
  cursors, which is two hours of an idle core for all methods.
- **What this model learns from.** It reads forward only, and most tokens it is asked for are no names of other files. It seems to
  gain most from lines like those above the cursor, which BM25 windows are and signatures are not: without definitions the test
  cursors have 0.612. At three kinds of cursors of four Dhi is below BM25 windows all the same (40 cursors: −0.033, −0.093 to
  +0.018). Inside an identifier it is above them (15: +0.175, +0.026 to +0.336); why is not known.
- **What did not help**, against Dhi on the same 55 cursors: pieces of 16 to 40 lines, with names on which snippets agree counting
  less (+0.042, +0.005 to +0.085); the same with more for what is no definition (+0.022, −0.004 to +0.049), or with 32 names
  in the lexical query (+0.039, +0.004 to +0.077); half of the room for BM25 windows (+0.005, −0.050 to +0.057), or
  three quarters (−0.014, −0.076 to +0.042). Inside identifiers (14): names that end the unfinished one counting like others (−0.018,
  −0.046 to 0).
`;

type Figure = "all" | "names";

const column = (results: readonly CursorNats[], figure: Figure, method: string): number[] =>
  results.map((result) => result[figure][method] ?? Number.NaN);

/** @returns Dhi minus the method, over the cursors that have the figure */
function comparison(results: readonly CursorNats[], seed: number) {
  const some = (figure: Figure) => {
    const having = results.filter((result) => !Number.isNaN(result[figure][DHI]));
    // All in one stratum: of a group there may be one or two cursors in a package, which resampled are always the same.
    const strata = having.map(() => "all");
    return { having, bootstrap: createBootstrap(strata, RESAMPLES, seed) };
  };
  const figures = { all: some("all"), names: some("names") };
  return (figure: Figure, method: string): Estimate => {
    const { having, bootstrap } = figures[figure];
    return bootstrap.difference(column(having, figure, DHI), column(having, figure, method));
  };
}

/** Dhi, what it is compared with, its legs. */
const order = (method: string): number => (method === DHI ? 0 : method.startsWith("without ") ? 2 : 1);

const digits = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(3));

function signed({ value, low, high }: Estimate): string {
  if (Number.isNaN(value)) return "–";
  const [a, b, c] = [value, low, high].map((n) => `${n < 0 ? "−" : "+"}${Math.abs(n).toFixed(3)}`);
  return `${a} (${b} to ${c})`;
}
