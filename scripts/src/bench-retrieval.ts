/** `npm run bench:retrieval`: measures what a keystroke waits for, on generated repositories. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeFigure, isRecorded, record } from "./bench/report.ts";
import { busyRetrieval, idleRetrieval } from "./bench/retrieval.ts";
import { retrievalReport } from "./bench/retrieval-report.ts";
import { createStack } from "./bench/stack.ts";
import { prepareWorkplace } from "./bench/workplace.ts";
import { sayInstead } from "./eval/flags.ts";

const usage = `npm run bench:retrieval -- [--files N] [--only PART,…] [--places N] [--again]

  --files N      files of the generated repository (default 1000, some 7,000 chunks; 14500 are some 100,000)
  --only PART,…  idle, indexing (default: both)
  --places N     where someone types (default 150)
  --again        also measure what docs/bench/retrieval.json has of this commit already`;

const PARTS = { idle: idleRetrieval, indexing: busyRetrieval } as const;
type Part = keyof typeof PARTS;

/** Milliseconds at the 95th percentile, up to some 10,000 chunks and beyond. */
const LIMITS_MS = { small: 15, large: 25 };
const SMALL_FILES = 1_500;

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @returns the exit code: 1 when a limit was missed */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") return sayInstead(options, usage);
  const { files, places, again } = options;
  const parts = options.parts.filter((part) => again || !isRecorded(root, retrievalReport, part, files));
  if (parts.length < options.parts.length)
    console.log("Some parts are measured already (--again measures them again).");
  if (parts.length === 0) return 0;
  const workplace = await prepareWorkplace(files, console.log);
  const { repository } = workplace;
  // Kept from run to run: to index a hundred thousand chunks takes minutes, to bring them up to date seconds.
  const home = join(dirname(repository), "retrieval-home");
  if (!existsSync(home)) console.log("The first run indexes everything…");
  mkdirSync(home, { recursive: true });
  // None is asked; but the tier without a model reads no prompt, and so has no use for a look ahead.
  const stack = await createStack({ workspace: repository, home, serverEnv: { ENGINE: "ollama" } });
  let missed = false;
  try {
    await stack.start("chroma", "indexer");
    await stack.settled();
    await stack.start("server");
    for (const part of parts) {
      console.log(`\n${part}, ${files} files`);
      const limitMs = files <= SMALL_FILES ? LIMITS_MS.small : LIMITS_MS.large;
      const done = await PARTS[part]({ stack, repository, places, limitMs });
      for (const figure of done.figures) {
        console.log(`  ${describeFigure(figure)}`);
        missed ||= figure.limit !== undefined && figure.value > figure.limit;
      }
      record(root, retrievalReport, { part, files, ...done });
    }
  } finally {
    await stack.close();
    workplace.reset();
  }
  return missed ? 1 : 0;
}

interface Options {
  readonly files: number;
  readonly parts: readonly Part[];
  readonly places: number;
  readonly again: boolean;
}

/** @returns what to print instead: the usage, or what is wrong */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        files: { type: "string", default: "1000" },
        only: { type: "string", default: Object.keys(PARTS).join(",") },
        places: { type: "string", default: "150" },
        again: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return usage;
    const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);
    const asked = values.only.split(",");
    const parts = asked.filter(isPart);
    if (parts.length < asked.length)
      return `--only wants some of ${Object.keys(PARTS).join(", ")}, not "${values.only}"`;
    const files = Number(values.files);
    if (!(Number.isInteger(files) && files >= 100)) return "--files wants a whole number from 100";
    const places = Number(values.places);
    if (!(Number.isInteger(places) && places >= 1)) return "--places wants a whole number from 1";
    return { files, parts, places, again: values.again };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
