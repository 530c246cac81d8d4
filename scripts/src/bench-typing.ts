/** `npm run bench:typing`: the same typing with our pipeline and with the policies that peers published. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { recordSections, sectionText } from "./bench/sections.ts";
import { createStack } from "./bench/stack.ts";
import { type CacheHit, cacheHits } from "./bench/typing/cache-hits.ts";
import { type FakeOllama, startFakeOllama } from "./bench/typing/fake-ollama.ts";
import { type Insertion, insertionsOf } from "./bench/typing/insertion.ts";
import { debounce350 } from "./bench/typing/policies/debounce-350.ts";
import { debounce400 } from "./bench/typing/policies/debounce-400.ts";
import { dhiPolicy } from "./bench/typing/policies/dhi.ts";
import { lock150 } from "./bench/typing/policies/lock-150.ts";
import { throttle300 } from "./bench/typing/policies/throttle-300.ts";
import type { NamedPolicy } from "./bench/typing/policy.ts";
import { readAgain } from "./bench/typing/read-again.ts";
import { replay } from "./bench/typing/replay.ts";
import { type Answered, type Ours, type Row, typingReport, typingSections } from "./bench/typing/report.ts";

const usage = `npm run bench:typing -- [--count N] [--seed N] [--prefill N] [--decode N] [--right N] [--speed N] [--report]

  --count N    pieces of code that are typed (default 6), cut from this repository's commits
  --seed N     which ones, and how (default 1)
  --prefill N  tokens a second that the fake engine reads (default 2000)
  --decode N   tokens a second that it writes (default 60)
  --right N    share of its lines that are right, 0 to 1 (default 0.6)
  --speed N    times as fast as people type, all waits included (default 2)
  --trace NAME accept-heavy or mixed alone
  --only NAME  the policies whose names begin with it; Dhi is ours
  --llama-server URL  a real one, which then reads the prompts of ours and says what it had cached
  --report     writes docs/bench/typing.md and .json; all policies, on a machine with nothing else to do`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const MODEL = "qwen2.5-coder:1.5b-base";
const TRACES = [
  { name: "accept-heavy", accepts: 0.95 },
  { name: "mixed", accepts: 0.4 },
] as const;
/** Ours: whether the tier without a model is drawn until the model writes. */
const OURS = [
  { name: "Dhi", preview: true },
  { name: "Dhi, no preview", preview: false },
] as const;
const CACHE_HITS = 300;
const PEERS: readonly NamedPolicy[] = [lock150, throttle300, debounce350, debounce400];

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ count: text, seed: text, prefill: text, decode: text, right: text, speed: text, only: text },
      ...{ trace: text, "llama-server": text, report: { type: "boolean" }, help: { type: "boolean" } },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const seed = Number(values.seed ?? 1);
  const insertions = insertionsOf(root, { count: Number(values.count ?? 6), seed });
  const characters = insertions.reduce((n, { lines }) => n + lines.length, 0);
  console.log(`${insertions.length} pieces of code, ${characters} characters`);
  const isWanted = (name: string) => name.startsWith(values.only ?? "");
  const setting: Setting = {
    ...{ insertions, seed, scale: 1 / Number(values.speed ?? 2), right: Number(values.right ?? 0.6) },
    ...{ prefill: Number(values.prefill ?? 2_000), decode: Number(values.decode ?? 60) },
  };

  // Of all runs: what is indexed once stays.
  const home = mkdtempSync(join(tmpdir(), "dhi-typing-"));
  try {
    for (const { name, accepts } of TRACES.filter((trace) => trace.name === (values.trace ?? trace.name))) {
      const { rows, prompts, ...ours } = await typeAll(home, { ...setting, accepts }, isWanted);
      const server = values["llama-server"];
      const read = server && prompts.length ? await readAgain(server, prompts) : undefined;
      const sections = typingSections(rows, ours, read);
      console.log(`\n## ${name}\n\n${sections.map(sectionText).join("\n\n")}`);
      const command = `npm run bench:typing -- ${args.join(" ")}`;
      if (values.report) recordSections(root, typingReport, name, { command, sections });
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return 0;
}

interface Typing extends Ours {
  readonly rows: readonly Row[];
  readonly prompts: FakeOllama["prompts"];
}

async function typeAll(
  home: string,
  setting: Setting & Accepting,
  isWanted: (policy: string) => boolean,
): Promise<Typing> {
  const rows: Row[] = [];
  const answers: Answered[] = [];
  let hits: readonly CacheHit[] = [];
  let prompts: FakeOllama["prompts"] = [];
  for (const { name, preview } of OURS.filter((ours) => isWanted(ours.name))) {
    const onAnswer = (answer: Answered["answer"], firstByteMs: number) => {
      if (preview) answers.push({ answer, firstByteMs });
    };
    await using engine = await startEngine(setting);
    const run = async (serverUrl: string) => {
      rows.push(await type(name, dhiPolicy({ serverUrl, preview, onAnswer }), engine, setting));
      if (!preview) return;
      prompts = [...engine.prompts];
      hits = await cacheHits(serverUrl, engine, setting.insertions, CACHE_HITS);
    };
    await withServer(home, engine.url, run);
  }
  // Side by side: they wait nearly all of the time, each for an engine of its own.
  const peers = PEERS.filter((policy) => isWanted(policy.name)).map(async (policy) => {
    await using engine = await startEngine(setting);
    // Awaited here: the engine ends with this function.
    return await type(policy.name, policy, engine, setting);
  });
  return { rows: [...rows, ...(await Promise.all(peers))], answers, hits, prompts };
}

interface Accepting {
  /** Of suggestions that are right, how many are accepted, 0 to 1. */
  readonly accepts: number;
}

interface Setting {
  readonly insertions: readonly Insertion[];
  readonly seed: number;
  /** Real milliseconds for one of the user's. */
  readonly scale: number;
  readonly prefill: number;
  readonly decode: number;
  readonly right: number;
}

const startEngine = ({ prefill, decode, right, seed, scale }: Setting): Promise<FakeOllama> =>
  startFakeOllama({
    ...{ model: MODEL, rightLines: right, seed },
    ...{ prefillRate: prefill / scale, decodeRate: decode / scale },
  });

async function type(
  name: string,
  policy: NamedPolicy,
  engine: FakeOllama,
  { insertions, accepts, seed, scale }: Setting & Accepting,
): Promise<Row> {
  const typed = await replay(insertions, policy, engine, MODEL, { accepts, seed, scale });
  console.log(`  ${name} done`);
  // As of now: more is asked of it.
  return { policy: name, typed, engine: structuredClone(engine.counts) };
}

/** Our server on this repository, with the fake as its Ollama. */
async function withServer<T>(home: string, ollamaUrl: string, use: (url: string) => Promise<T>): Promise<T> {
  const stack = await createStack({
    workspace: root,
    home,
    serverEnv: { ENGINE: "auto", FIM_MODEL: MODEL, OLLAMA_HOST: ollamaUrl },
  });
  try {
    await stack.start("chroma", "indexer", "server");
    await stack.settled();
    return await use(stack.url);
  } finally {
    await stack.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
