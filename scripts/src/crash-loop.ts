/** `npm run crash-loop`: kills the indexer at random moments, and looks whether its index recovers from each of them. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { indexReport } from "./bench/index-report.ts";
import { makeRepository } from "./bench/make-repository.ts";
import type { RunningProcess } from "./bench/processes.ts";
import { createRandom, type Random } from "./bench/random.ts";
import { record } from "./bench/report.ts";
import { crashFigures } from "./crash-loop/crash-figures.ts";
import { startFakeModel } from "./crash-loop/fake-model.ts";
import { checkOut, makeBranches, saveStorm } from "./crash-loop/storms.ts";
import { createWorld, type EmbedderName, type World } from "./crash-loop/world.ts";
import { sayInstead } from "./eval/flags.ts";
import { type SourcePackage, sourcePackages } from "./source-packages.ts";

const KINDS = ["first index", "save storm", "checkout", "embedder swap"] as const;
/** What the indexer is killed in the middle of. */
export type CrashKind = (typeof KINDS)[number];

export interface Round {
  readonly kind: CrashKind;
  /** From the start of what it was killed in. */
  readonly killedAfterMs: number;
  /** It was killed a second time while it recovered. */
  readonly killedAgain: boolean;
  readonly chromaKilled: boolean;
  /** From the last start until the index was equal to a fresh one. */
  readonly equalAfterMs: number;
  /** Empty when the index recovered. */
  readonly differences: readonly string[];
}

export interface CrashLoopOptions {
  readonly rounds: number;
  /** Chooses kinds, files and moments; what runs beside still differs from run to run. */
  readonly seed: number;
  readonly files: number;
  readonly packages: readonly SourcePackage[];
  /** The built `main.js` of the indexer. */
  readonly indexerMain: string;
  readonly onRound?: (round: Round, number: number) => void;
}

/** Nothing is left running or lying around. */
export async function crashLoop(options: CrashLoopOptions): Promise<Round[]> {
  const { rounds, seed, files, packages, indexerMain, onRound = () => {} } = options;
  const random = createRandom(seed);
  const temp = tempDir();
  const model = await startFakeModel();
  const repository = join(temp.dir, "repository");
  makeRepository({ dir: repository, packages, files });
  makeBranches(repository, random);
  const dir = join(temp.dir, "state");
  mkdirSync(dir);
  const world = await createWorld({ repository, dir, indexerMain, ollamaUrl: model.url });
  const done: Round[] = [];
  let embedder: EmbedderName = "hash";
  try {
    while (done.length < rounds) {
      const kind = KINDS[done.length % KINDS.length] ?? "first index";
      if (kind === "embedder swap") embedder = embedder === "hash" ? "ollama" : "hash";
      const round = await playRound(world, kind, embedder, random).catch(async (error: unknown) => {
        await world.close();
        return failedRound(kind, error);
      });
      done.push(round);
      onRound(round, done.length);
      // Each round answers for itself alone.
      if (round.differences.length) world.forget();
    }
  } finally {
    await world.close();
    await model[Symbol.asyncDispose]();
    temp[Symbol.dispose]();
  }
  return done;
}

/** How long after its start each of them is surely over on a slow machine; the kill comes at any moment before. */
const OVER_MS: Readonly<Record<CrashKind, number>> = {
  "first index": 4_000,
  "save storm": 2_500,
  checkout: 2_000,
  "embedder swap": 3_000,
};
const SAVES = 60;
const SETTLED_MS = 120_000;
const LOOK_AGAIN_MS = 250;

async function playRound(
  world: World,
  kind: CrashKind,
  embedder: EmbedderName,
  random: Random,
): Promise<Round> {
  await world.startChroma();
  if (kind === "first index") world.forget();
  const chromaKilled = random.next() < 0.33;
  const killedAgain = random.next() < 0.33;
  // Squared: most of what happens, happens early.
  const killedAfterMs = Math.round(random.next() ** 2 * OVER_MS[kind]);

  let indexer = world.startIndexer(embedder);
  // Half of the saves and checkouts meet an indexer that is still comparing.
  if ((kind === "save storm" || kind === "checkout") && random.next() < 0.5) await world.settled(SETTLED_MS);
  const disturbance = disturb(world, kind, random);
  // Whatever fails is thrown where it is awaited.
  disturbance.catch(() => {});
  await sleep(killedAfterMs);
  await Promise.all([indexer.kill(), chromaKilled && sleep(random.below(300)).then(world.killChroma)]);
  await disturbance;

  indexer = world.startIndexer(embedder);
  if (killedAgain) {
    await sleep(random.below(2_000));
    await indexer.kill();
    indexer = world.startIndexer(embedder);
  }
  const began = performance.now();
  await world.startChroma();
  const differences = await untilEqual(world, indexer, embedder, random);
  const equalAfterMs = Math.round(performance.now() - began);
  // The next round begins with a kill as well: whether an indexer is ended well or badly must not matter.
  await indexer.kill();
  return { kind, killedAfterMs, killedAgain, chromaKilled, equalAfterMs, differences };
}

/** What could not be played to its end: a loop of half an hour must not end with it, nor call it a success. */
const failedRound = (kind: CrashKind, error: unknown): Round => ({
  ...{ kind, killedAfterMs: Number.NaN, killedAgain: false, chromaKilled: false, equalAfterMs: Number.NaN },
  differences: [`! ${error instanceof Error ? (error.stack ?? error.message) : error}`],
});

/** Goes on while the indexer is killed. */
async function disturb({ repository, url }: World, kind: CrashKind, random: Random): Promise<void> {
  if (kind === "save storm") {
    await Promise.all([saveStorm(repository, SAVES, random), typeUnsaved(url)]);
  } else if (kind === "checkout") {
    await checkOut(repository, random);
  }
}

/** An editor's unsaved buffer, which must not outlive the indexer's process: the editor would send it anew. */
async function typeUnsaved(url: string): Promise<void> {
  for (let version = 1; version <= 10; version++) {
    const body = { path: "unsaved.py", version, content: `unsaved_${version} = 1\n`, sessionId: "crash" };
    await fetch(`${url}/documents`, { method: "POST", body: JSON.stringify(body) }).catch(() => {});
    await sleep(30);
  }
}

/** @returns what still differs after two minutes; nothing when the index is a fresh one's equal */
async function untilEqual(
  world: World,
  indexer: RunningProcess,
  embedder: EmbedderName,
  random: Random,
): Promise<string[]> {
  await indexer.ready();
  const fresh = await world.fresh(embedder, random);
  let found: string[] = [];
  for (const until = performance.now() + SETTLED_MS; performance.now() < until; await sleep(LOOK_AGAIN_MS)) {
    const unsettled = await world.settled(SETTLED_MS);
    if (unsettled !== undefined) return [`! the indexer does not settle: ${unsettled}`, ...found];
    found = await world.compare(fresh).catch((error: unknown) => [`! ${error}`]);
    if (found.length === 0) return [];
  }
  return found;
}

const usage = `npm run crash-loop -- [--rounds N] [--seed N] [--files N]

  --rounds N  how often the indexer is killed (default 50; as many or more go into docs/bench/index.md)
  --seed N    chooses kinds and moments (default: the time)
  --files N   files of the generated repository (default 150)`;

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SHOWN = 20;
/** Fewer say little. */
const RECORDED_ROUNDS = 50;

/** @returns the exit code: 1 when an index did not recover */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") return sayInstead(options, usage);
  const packages = await sourcePackages(console.log);
  console.log(`${options.rounds} rounds, --seed ${options.seed}`);
  const rounds = await crashLoop({
    ...options,
    packages: packages.length ? packages : ownSources(root),
    indexerMain: join(root, "indexer", "dist", "main.js"),
    onRound(round, number) {
      console.log(`${number}/${options.rounds} ${describe(round)}`);
      for (const line of round.differences.slice(0, SHOWN)) console.log(`    ${line.slice(0, 200)}`);
    },
  });
  for (const kind of KINDS) {
    const ofKind = rounds.filter((round) => round.kind === kind);
    const failed = ofKind.filter((round) => round.differences.length).length;
    console.log(`${kind}: ${ofKind.length} rounds, ${failed} with differences`);
  }
  if (rounds.length >= RECORDED_ROUNDS)
    record(root, indexReport, {
      ...{ part: "crash", files: options.files },
      ...crashFigures(rounds, KINDS, options),
    });
  return rounds.some((round) => round.differences.length) ? 1 : 0;
}

/** For a machine that can fetch nothing: our own code. */
export const ownSources = (repository: string): SourcePackage[] =>
  ["core", "indexer"].map((name) => ({ name, dir: join(repository, name, "src") }));

function describe({
  kind,
  killedAfterMs,
  killedAgain,
  chromaKilled,
  equalAfterMs,
  differences,
}: Round): string {
  const how = [`killed after ${killedAfterMs} ms`, killedAgain && "twice", chromaKilled && "Chroma too"];
  const end = differences.length
    ? `${differences.length} DIFFERENCES`
    : `equal after ${(equalAfterMs / 1000).toFixed(1)} s`;
  return `${kind}, ${how.filter(Boolean).join(", ")}: ${end}`;
}

/** @returns what to print instead: the usage, or what is wrong */
function readOptions(args: readonly string[]): Pick<CrashLoopOptions, "rounds" | "seed" | "files"> | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: "string", default: "50" },
        seed: { type: "string", default: String(Date.now() % 1_000_000) },
        files: { type: "string", default: "150" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return usage;
    const numbers = { rounds: Number(values.rounds), seed: Number(values.seed), files: Number(values.files) };
    const bad = Object.entries(numbers).find(([, n]) => !Number.isInteger(n) || n < 0);
    return bad ? `--${bad[0]} wants a whole number` : numbers;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
