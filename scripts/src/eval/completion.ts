/** `npm run eval -- completion`: what the configured engine writes at the cursors, compared with what really stood there. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createRandom } from "../bench/random.ts";
import { describeRun } from "../bench/report.ts";
import { createClient, type DhiClient } from "../dhi-client.ts";
import { askBoth, type Completed, completeAt, type Retrieval } from "./completion-measure.ts";
import { completionMarkdown, completionReport } from "./completion-report.ts";
import {
  neededBodies,
  openTestBench,
  TESTED_SOURCES,
  type TestBench,
  type TestedBodies,
} from "./completion-tests.ts";
import { corpusOf } from "./corpus.ts";
import { readFacts } from "./facts.ts";
import {
  minutesOf,
  optionsOr,
  outFlag,
  type SharedOptions,
  sayInstead,
  sharedFlags,
  sharedOptions,
  wholeNumber,
} from "./flags.ts";
import { copyOfHome } from "./homes.ts";
import { interleaved } from "./interleaved.ts";
import { prepare } from "./prepare.ts";
import { serve } from "./served.ts";

const usage = `npm run eval -- completion [--set dev|test] [--per-package N] [--minutes N] [--run-tests N]

  The engine is the one that ENGINE, FIM_MODEL, FIM_FORMAT and the engines' addresses name, as for npm start.
  Without ENGINE it is the instant tier, with OLLAMA_HOST Ollama.

  --set SET        dev: to look at while tuning; test (default): for figures
  --per-package N  cursors of each package (default 40)
  --minutes N      then what is measured is reported (default 60)
  --run-tests N    also have N function bodies written, and run their package's tests on them. This executes what the
                   model wrote, on this machine and without a sandbox
  --only NAME      packages whose name contains it
  --seed N         another choice of cursors, open files and resamples (default 1)
  --embedder NAME  hash (default), or ollama at OLLAMA_HOST
  --out DIR        where completion.json and completion.md go (default docs/eval)`;

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") return sayInstead(options, usage);
  // Of the code that is loaded: the checkout may be another one in an hour.
  const run = describeRun(root);
  const completed = await completeAll(options);
  const bodies = options.runTests > 0 ? await completeBodies(options) : undefined;
  if (!completed.length) {
    say("No cursor was completed: give it some --minutes.");
    return 1;
  }
  const { set, seed, out } = options;
  const report = completionReport(completed, bodies, { set, seed, ...run });
  const markdown = completionMarkdown(report);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "completion.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, "completion.md"), markdown);
  say(`\n${markdown}`);
  return 0;
}

async function completeAll(options: Options): Promise<Completed[]> {
  const prepared = await prepare({ ...options, env: engineSettings(), say });
  try {
    const client = await readyClient(prepared.served.url);
    const began = performance.now();
    const completed: Completed[] = [];
    const situations = interleaved(prepared.situations);
    say(`${situations.length} cursors`);
    for (const [at, situation] of situations.entries()) {
      if (performance.now() - began > options.minutes * 60_000) {
        say(`stopped after ${at} of them: the time is over`);
        break;
      }
      completed.push(...(await completeAt(situation, client, at + 1)));
      if ((at + 1) % PROGRESS_EVERY === 0) say(`  ${at + 1} of ${situations.length}`);
    }
    return completed;
  } finally {
    await prepared.close();
  }
}

const PROGRESS_EVERY = 50;

async function completeBodies({ runTests, seed, embedder }: Options): Promise<TestedBodies | undefined> {
  const bench = await openTestBench(say);
  try {
    return bench && (await bodiesOn(bench, { runTests, seed, embedder }));
  } finally {
    bench?.[Symbol.dispose]();
  }
}

async function bodiesOn(
  bench: TestBench,
  { runTests, seed, embedder }: Pick<Options, "runTests" | "seed" | "embedder">,
): Promise<TestedBodies> {
  const corpus = corpusOf(bench.source, TESTED_SOURCES);
  const home = await copyOfHome([corpus], embedder, say);
  const served = await serve({ corpora: [corpus], home, embedder, env: engineSettings() });
  try {
    await served.settled();
    const client = await readyClient(served.url);
    const db = served.openIndex(corpus);
    const facts = readFacts(db, corpus);
    db.close();
    const passed: Partial<Record<Retrieval, number>> = {};
    let bodies = 0;
    for await (const body of neededBodies(corpus.files.values(), facts, bench, createRandom(seed))) {
      if (bodies === runTests) break;
      bodies++;
      const cursor = { ...body, package: corpus.name };
      const surroundings = { openFiles: [], recentEdits: [] };
      for (const [retrieval, { completion }] of await askBoth({ cursor, surroundings }, client)) {
        const passes =
          completion !== "" && (await bench.passesWith(body.path, body.prefix + completion + body.suffix));
        passed[retrieval] = (passed[retrieval] ?? 0) + Number(passes);
      }
      say(`  ${bodies} bodies, passed: ${JSON.stringify(passed)}`);
    }
    return { package: corpus.name, bodies, passed };
  } finally {
    await served.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Of the server, as the environment has them; the eval's own server would otherwise be told another engine. */
function engineSettings(): Record<string, string> {
  const { env } = process;
  const names = ["FIM_MODEL", "LLAMA_SERVER_HOST", "OPENAI_BASE_URL", "OPENAI_API_KEY", "ENGINE_SLOTS"];
  const given = names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return {
    ENGINE: env.ENGINE || (env.OLLAMA_HOST ? "ollama" : "instant"),
    FIM_FORMAT: env.FIM_FORMAT || "auto",
    ...Object.fromEntries(given),
  };
}

/** When the instant tier has read the index: its detail says so as long as it has not. */
async function readyClient(url: string): Promise<DhiClient> {
  const client = createClient(url, undefined);
  for (; ; await sleep(ASK_EVERY_MS)) {
    const { components } = await client.health(AbortSignal.timeout(HEALTH_TIMEOUT_MS));
    if (!/still reading|no index yet/.test(components.engine.detail)) return client;
  }
}

const ASK_EVERY_MS = 200;
const HEALTH_TIMEOUT_MS = 30_000;

interface Options extends SharedOptions {
  readonly minutes: number;
  readonly runTests: number;
  readonly out: string;
}

/** @returns what to print instead: the usage, or what is wrong */
const readOptions = (args: readonly string[]): Options | string =>
  optionsOr(() => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...sharedFlags(40),
        minutes: { type: "string", default: "60" },
        "run-tests": { type: "string", default: "0" },
        out: outFlag,
      },
    });
    if (values.help) return usage;
    return {
      ...sharedOptions(values),
      minutes: minutesOf(values.minutes),
      runTests: wholeNumber("run-tests", values["run-tests"], 0),
      out: values.out,
    };
  });

const say = (line: string): void => console.log(line);
