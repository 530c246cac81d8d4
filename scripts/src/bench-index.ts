/** `npm run bench:index`: measures indexer, server and Chroma on generated repositories. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { branchSwitch } from "./bench/branch-switch.ts";
import { churn } from "./bench/churn.ts";
import { fullIndex } from "./bench/full-index.ts";
import { indexReport } from "./bench/index-report.ts";
import { describeFigure, isRecorded, type Measured, record } from "./bench/report.ts";
import { saves } from "./bench/save.ts";
import { scale } from "./bench/scale.ts";
import { createStack, type Stack } from "./bench/stack.ts";
import { prepareWorkplace, type Workplace } from "./bench/workplace.ts";
import { sayInstead } from "./eval/flags.ts";

const usage = `npm run bench:index -- [--files N] [--only PART,…] [--rounds N] [--again] [--profile DIR]

  --files N      files of the generated repository (default 10000; churn is meant for 1000, scale for 100000)
  --only PART,…  full, save, switch, scale, churn (default: full,save,switch)
  --rounds N     of churn (default 100)
  --again        also measure what docs/bench/index.json has of this commit already
  --profile DIR  leave a CPU profile of the first index there`;

const PARTS = ["full", "save", "switch", "scale", "churn"] as const;
type Part = (typeof PARTS)[number];

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @returns the exit code: 1 when a limit was missed */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") return sayInstead(options, usage);
  const { files, rounds, again, profile } = options;
  const parts = options.parts.filter((part) => again || !isRecorded(root, indexReport, part, files));
  if (parts.length < options.parts.length)
    say("Some parts are measured already (--again measures them again).");
  if (parts.length === 0) return 0;
  const workplace = await prepareWorkplace(files, say);
  let missed = false;
  let stack: Stack | undefined;
  let indexMs = Number.NaN;
  try {
    for (const part of parts) {
      say(`\n${part}, ${files} files`);
      const done = await measure(part);
      for (const figure of done.figures) {
        say(`  ${describeFigure(figure)}`);
        missed ||= figure.limit !== undefined && figure.value > figure.limit;
      }
      record(root, indexReport, { part, files, ...done });
    }
  } finally {
    await stack?.close();
  }
  return missed ? 1 : 0;

  async function measure(part: Part): Promise<Measured> {
    if (part === "full") {
      const first = await fullIndex({ workplace, profileDir: profile });
      stack = first.stack;
      indexMs = first.ms;
      return first.measured;
    }
    if (part === "churn") {
      await stack?.close();
      stack = undefined;
      return churn({ workplace, rounds, say });
    }
    if (!stack) {
      const began = performance.now();
      stack = await indexed(workplace);
      indexMs = performance.now() - began;
      say(`  indexed in ${Math.round(indexMs / 1000)} s`);
    }
    await stack.start("server");
    try {
      if (part === "save") return await saves(stack, workplace.repository);
      if (part === "switch") return await branchSwitch(stack, workplace.repository);
      return await scale(stack, workplace.repository, indexMs);
    } finally {
      await stack.stop("server");
      workplace.reset();
    }
  }
}

/** With Chroma and indexer running, and everything in both. */
async function indexed({ repository, freshHome }: Workplace): Promise<Stack> {
  const stack = await createStack({ workspace: repository, home: freshHome() });
  await stack.start("chroma", "indexer");
  await stack.settled();
  return stack;
}

interface Options {
  readonly files: number;
  readonly parts: readonly Part[];
  readonly rounds: number;
  readonly again: boolean;
  readonly profile: string | undefined;
}

/** @returns what to print instead: the usage, or what is wrong */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        files: { type: "string", default: "10000" },
        only: { type: "string", default: "full,save,switch" },
        rounds: { type: "string", default: "100" },
        again: { type: "boolean", default: false },
        profile: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return usage;
    const asked = values.only.split(",");
    const unknown = asked.find((name) => !PARTS.some((part) => part === name));
    if (unknown !== undefined) return `--only wants some of ${PARTS.join(", ")}, not "${unknown}"`;
    const [files, rounds] = [Number(values.files), Number(values.rounds)];
    if (!(Number.isInteger(files) && files >= 100)) return "--files wants a whole number from 100";
    if (!(Number.isInteger(rounds) && rounds >= 1)) return "--rounds wants a whole number from 1";
    const parts = PARTS.filter((part) => asked.includes(part));
    return { files, rounds, parts, again: values.again, profile: values.profile };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const say = (line: string): void => console.log(line);
