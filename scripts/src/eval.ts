/** `npm run eval`: what each way of finding context is worth, without a model. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type LegName, legName } from "@dhi/core/protocol";
import { askAll } from "./eval/ask-all.ts";
import { compare } from "./eval/comparison.ts";
import { main as completion } from "./eval/completion.ts";
import { logCursors } from "./eval/cursor-log.ts";
import { main as edits } from "./eval/edits.ts";
import { optionsOr, type SharedOptions, sayInstead, sharedFlags, sharedOptions } from "./eval/flags.ts";
import { gateCorpora, gateFigures, isComplete, writeGate } from "./eval/gate.ts";
import { main as likelihood } from "./eval/likelihood.ts";
import { prepare, prepareCorpora } from "./eval/prepare.ts";
import { writeReport } from "./eval/report.ts";
import { summary } from "./eval/summary.ts";

const usage = `npm run eval -- [--set dev|test] [--per-package N] [--legs LEG,…] [--only NAME] [--seed N] [--embedder hash|ollama] [--quick] [--no-ablations] [--report]

  --set SET        dev: to look at while tuning; test (default): for figures
  --per-package N  cursors of each package (default 130)
  --legs LEG,…     ask only these legs of Dhi: ${legName.options.join(", ")}
  --only NAME      packages whose name contains it
  --report         write docs/eval/report.md and report.json
  --no-ablations   do not ask for each leg alone and for all but it
  --quick          neither baselines nor ablations
  --seed N         another choice of cursors, open files and resamples (default 1)
  --embedder NAME  hash (default), or ollama at OLLAMA_HOST

npm run eval -- gate: what npm test holds later changes against
npm run eval -- likelihood --help: how likely the real code becomes for a small language model
npm run eval -- completion --help: what the configured engine completes
npm run eval -- edits --help: what recent edits add, on a repository's commits`;

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const [part, ...rest] = args;
  if (part === "likelihood") return likelihood(rest);
  if (part === "completion") return completion(rest);
  if (part === "edits") return edits(rest);
  if (part === "gate") return gate();
  const options = readOptions(args);
  if (typeof options === "string") return sayInstead(options, usage);
  const began = performance.now();
  const prepared = await prepare({ ...options, say });
  try {
    say(`${prepared.situations.length} cursors, ready after ${seconds(began)} s`);
    const results = await askAll(prepared.situations, options, (done) =>
      say(`  ${done} done after ${seconds(began)} s`),
    );
    const comparison = compare(results, options.seed);
    say(`\n${summary(comparison)}\n`);
    say(`Cursor by cursor: ${logCursors(results, `${options.set}-${options.seed}`)}`);
    if (options.report) await writeReport(root, comparison, { ...options, corpora: prepared.corpora, say });
    say(`\ndone after ${seconds(began)} s`);
  } finally {
    await prepared.close();
  }
  return 0;
}

/** Measures the slice that `npm test` measures, and makes it what later ones are held against. */
async function gate(): Promise<number> {
  const corpora = await gateCorpora(say);
  if (!isComplete(corpora)) {
    say("Its packages cannot be had.");
    return 1;
  }
  const prepared = await prepareCorpora(corpora, { perPackage: 0, seed: 0, embedder: "hash", say });
  try {
    const figures = await gateFigures(prepared.served, corpora);
    writeGate(root, figures);
    say(JSON.stringify(figures, null, 2));
  } finally {
    await prepared.close();
  }
  return 0;
}

interface Options extends SharedOptions {
  readonly legs: readonly LegName[] | undefined;
  readonly report: boolean;
  readonly withBaselines: boolean;
  readonly withAblations: boolean;
}

/** @returns what to print instead: the usage, or what is wrong */
const readOptions = (args: readonly string[]): Options | string =>
  optionsOr(() => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...sharedFlags(130),
        legs: { type: "string" },
        report: { type: "boolean", default: false },
        "no-ablations": { type: "boolean", default: false },
        quick: { type: "boolean", default: false },
      },
    });
    if (values.help) return usage;
    const { quick, report } = values;
    const named = values.legs?.split(",");
    const legs = named && legName.options.filter((leg) => named.includes(leg));
    if (legs?.length !== named?.length) return `--legs wants some of ${legName.options.join(", ")}`;
    return {
      ...{ ...sharedOptions(values), legs, report },
      withBaselines: !quick,
      withAblations: !quick && !values["no-ablations"],
    };
  });

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);
const say = (line: string): void => console.log(line);
