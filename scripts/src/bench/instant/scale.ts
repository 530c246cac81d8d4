/** What the tier costs in a repository of so many tokens: memory, time to read it, time of a request. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Corpus } from "@dhi/server/instant/corpus";
import { OpenFileReader } from "@dhi/server/instant/open-file";
import { predictLine } from "@dhi/server/instant/predict-line";
import { percentile } from "../figures.ts";
import type { Figure, Measured } from "../report.ts";
import type { Commit } from "./commits.ts";

export interface ScaleOptions {
  readonly tokens: number;
  /** Requests that are timed. */
  readonly requests: number;
}

/** Files of the packages under other names, with their names' words changed, until there are so many tokens. */
export async function measureScale(
  commits: readonly Commit[],
  { tokens, requests }: ScaleOptions,
): Promise<Measured> {
  const files = commits.flatMap(({ after }) => [...after]);
  const collect = garbageCollector();
  collect();
  const before = memory();
  // The product too knows from the index how much will come. It keeps room for two thirds more, which the system does not
  // give before it is used; here it would count as memory.
  const corpus = new Corpus({ capacity: Math.ceil(tokens * 1.1) });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = process.cpuUsage();
  const stepsMs: number[] = [];
  let since = performance.now();
  for (let copy = 0; corpus.liveTokens < tokens; copy++) {
    for (const [path, text] of files) {
      if (corpus.liveTokens >= tokens) break;
      const steps = corpus.addInSteps({ path: `${copy}/${path}`, text: changed(text, copy), symbols: [] });
      for (;;) {
        const stepStart = process.cpuUsage();
        const { done } = steps.next();
        stepsMs.push(cpuMs(stepStart));
        if (performance.now() - since >= SLICE_MS) {
          await setImmediate();
          since = performance.now();
        }
        if (done) break;
      }
    }
  }
  const buildMs = cpuMs(started);
  delay.disable();
  const held = corpus.liveTokens;
  collect();
  const bytes = memory() - before;
  const times = requestTimes(corpus, files, requests);
  return {
    figures: [
      { what: "tokens held", value: held, unit: "" },
      { what: "memory", value: bytes / 1024 ** 2, unit: "MiB" },
      { what: "memory per token", value: bytes / held, unit: "bytes", ...(held > 500_000 && { limit: 40 }) },
      {
        what: "tokens read a second of processor time, in millions",
        value: held / buildMs / 1_000,
        unit: "",
      },
      {
        what: "a step of reading, p99, processor time",
        value: percentile(stepsMs, 99),
        unit: "ms",
        limit: 10,
      },
      {
        what: "the longest of them",
        value: stepsMs.slice(WARM_UP).reduce((a, b) => Math.max(a, b), 0),
        unit: "ms",
        limit: 10,
      },
      {
        what: "event loop delay while reading, p99, with all that this machine does",
        value: delay.percentile(99) / 1e6,
        unit: "ms",
      },
      { what: "a request, p50, processor time", value: percentile(times, 50), unit: "ms", limit: 2 },
      {
        what: "a request, p95, processor time",
        value: percentile(times, 95),
        unit: "ms",
        limit: held > 5e6 ? 15 : 10,
      },
    ] satisfies Figure[],
    notes: [
      `${requests} requests at line starts and inside lines of files that are written on, one key after another; the reader of the open file is kept between keys as in the server. The machine was shared, so times are of the processor, not of the clock.`,
    ],
  };
}

/** Steps until the code is compiled, which happens once in a server's life. */
const WARM_UP = 50;

function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? () => void collect() : () => {};
}

/** As the product yields. */
const SLICE_MS = 5;

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/** Code of another repository has other names: each seventh word gets another end. */
function changed(text: string, copy: number): string {
  if (copy === 0) return text;
  let words = 0;
  return text.replaceAll(/\b[A-Za-z_]\w{4,}\b/g, (word) => (words++ % 7 === 0 ? `${word}${copy}` : word));
}

const KEYS_A_LINE = 12;

function requestTimes(
  corpus: Corpus,
  files: readonly (readonly [string, string])[],
  requests: number,
): number[] {
  const times: number[] = [];
  for (let i = 0; times.length < requests; i++) {
    const [path, text] = files[(i * 37) % files.length] ?? ["", ""];
    const lines = text.split("\n");
    const line = Math.floor(lines.length / 2);
    const above = lines.slice(0, line).join("\n");
    const suffix = `\n${lines.slice(line + 1).join("\n")}`;
    const reader = new OpenFileReader(corpus.vocabulary);
    // Opening it is no keystroke.
    reader.read(`${above}\n`, suffix);
    const typed = lines[line] ?? "";
    for (let key = 0; key <= Math.min(typed.length, KEYS_A_LINE) && times.length < requests; key++) {
      const start = process.cpuUsage();
      const open = reader.read(`${above}\n${typed.slice(0, key)}`, suffix);
      predictLine({ corpus, open, path: `0/${path}` }, { threshold: 0.7, maxTokens: 48 });
      times.push(cpuMs(start));
    }
  }
  return times;
}
