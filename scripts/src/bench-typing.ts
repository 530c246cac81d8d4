/** `npm run bench:typing`: the same typing with our pipeline and with the policies that peers published. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { FimDone } from "@dhi/core/protocol";
import { percentile } from "./bench/figures.ts";
import { createStack } from "./bench/stack.ts";
import { type EngineCounts, startFakeOllama } from "./bench/typing/fake-ollama.ts";
import { insertionsOf } from "./bench/typing/insertion.ts";
import { debounce350 } from "./bench/typing/policies/debounce-350.ts";
import { debounce400 } from "./bench/typing/policies/debounce-400.ts";
import { dhiPolicy } from "./bench/typing/policies/dhi.ts";
import { lock150 } from "./bench/typing/policies/lock-150.ts";
import { throttle300 } from "./bench/typing/policies/throttle-300.ts";
import type { NamedPolicy } from "./bench/typing/policy.ts";
import { replay, type Typed } from "./bench/typing/replay.ts";

const usage = `npm run bench:typing -- [--count N] [--seed N] [--prefill N] [--decode N] [--right N] [--speed N]

  --count N    pieces of code that are typed (default 6), cut from this repository's commits
  --seed N     which ones, and how (default 1)
  --prefill N  tokens a second that the fake engine reads (default 2000)
  --decode N   tokens a second that it writes (default 60)
  --right N    share of its lines that are right, 0 to 1 (default 0.6)
  --speed N    times as fast as people type, all waits included (default 2)
  --only NAME  one policy alone, by the start of its name; Dhi is ours`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const MODEL = "qwen2.5-coder:1.5b-base";
const TRACES = [
  { name: "accept-heavy", accepts: 0.95 },
  { name: "mixed", accepts: 0.4 },
] as const;

interface Row {
  readonly policy: string;
  readonly typed: Typed;
  readonly engine: EngineCounts;
}

interface Answered {
  readonly answer: FimDone;
  readonly firstByteMs: number;
}

const POLICIES = ["Dhi", "Dhi, no preview", lock150, throttle300, debounce350, debounce400] as const;
const nameOf = (policy: (typeof POLICIES)[number]) => (typeof policy === "string" ? policy : policy.name);

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const number = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ count: number, seed: number, prefill: number, decode: number, right: number, speed: number },
      ...{ only: { type: "string" }, help: { type: "boolean" } },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const policies = POLICIES.filter((policy) => nameOf(policy).startsWith(values.only ?? ""));
  const seed = Number(values.seed ?? 1);
  const scale = 1 / Number(values.speed ?? 2);
  const insertions = insertionsOf(root, { count: Number(values.count ?? 6), seed });
  console.log(
    `${insertions.length} pieces of code, ${insertions.reduce((n, { lines }) => n + lines.length, 0)} characters`,
  );

  for (const { name, accepts } of TRACES) {
    const rows: Row[] = [];
    const answers: Answered[] = [];
    for (const policy of policies) {
      await using engine = await startFakeOllama({
        model: MODEL,
        prefillRate: Number(values.prefill ?? 2_000) / scale,
        decodeRate: Number(values.decode ?? 60) / scale,
        rightLines: Number(values.right ?? 0.6),
        seed,
      });
      const run = (named: NamedPolicy) => replay(insertions, named, engine, MODEL, { accepts, seed, scale });
      const typed =
        typeof policy === "string"
          ? await withServer(engine.url, (serverUrl) =>
              run(
                dhiPolicy({
                  ...{ serverUrl, preview: policy === "Dhi" },
                  onAnswer: (answer, firstByteMs) => answers.push({ answer, firstByteMs }),
                }),
              ),
            )
          : await run(policy);
      rows.push({ policy: nameOf(policy), typed, engine: { ...engine.counts } });
      console.log(`  ${name}: ${rows.at(-1)?.policy} done`);
    }
    console.log(`\n${table(name, rows)}\n`);
    if (answers.length) console.log(`${overhead(answers)}\n`);
  }
  return 0;
}

/** Our server on this repository, with the fake as its Ollama. */
async function withServer<T>(ollamaUrl: string, use: (url: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "dhi-typing-"));
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
    rmSync(home, { recursive: true, force: true });
  }
}

/** What the server takes beside the engine, and how soon what it has already is there. */
function overhead(answers: readonly Answered[]): string {
  const ms = (values: readonly number[], p: number) => percentile(values, p).toFixed(1);
  const own = answers
    .filter(({ answer }) => answer.reuse === "none")
    .map(({ answer: { timings } }) => timings.total - timings.engine - timings.queue);
  const cached = answers.filter(({ answer }) => answer.reuse === "cached");
  const bytes = cached.map(({ firstByteMs }) => firstByteMs);
  const inside = cached.map(({ answer }) => answer.timings.total);
  return [
    `server's own time, ${own.length} answers of new calls: p50 ${ms(own, 50)} ms, p95 ${ms(own, 95)} ms`,
    `first byte, ${bytes.length} answers from the cache: p50 ${ms(bytes, 50)} ms, p95 ${ms(bytes, 95)} ms with HTTP; in the server p50 ${ms(inside, 50)} ms, p95 ${ms(inside, 95)} ms`,
  ].join("\n");
}

function table(name: string, rows: readonly Row[]): string {
  const share = (n: number, of: number) => `${of ? Math.round((100 * n) / of) : 0} %`;
  const lines = rows.map(({ policy, typed, engine }) =>
    [
      policy,
      engine.requests,
      engine.decodedTokens,
      engine.decodedAfterSupersede,
      share(typed.shown, typed.keystrokes),
      share(typed.shownWithoutEngine, typed.keystrokes),
      share(engine.cachedTokens, engine.promptTokens),
      share(engine.cachedTokens - engine.coldCachedTokens, engine.promptTokens - engine.coldTokens),
      Math.round(percentile(typed.waitsMs, 50)),
      Math.round(percentile(typed.waitsMs, 95)),
      typed.flickers,
      `${typed.wrongPreviews} of ${typed.previews}`,
      typed.keystrokes,
    ].join(" | "),
  );
  return `### ${name}

| policy | engine calls | tokens decoded | of them after supersede | keystrokes with ghost text | without an engine call | prompt tokens cached | without each piece's first prompt | p50 ms to first text | p95 | flicker | wrong previews | keystrokes |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
${lines.map((line) => `| ${line} |`).join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
