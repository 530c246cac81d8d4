/** An engine that is killed, stalled and started again while people type: whether everybody gets an answer, their own. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../bench/random.ts";
import { type Asked, createTypist } from "./typist.ts";
import { withWorld } from "./world.ts";

export interface FaultsReport {
  readonly rounds: number;
  readonly asked: Readonly<Record<Asked["how"], number>>;
  readonly wrong: number;
  /** The server's process ended, or said of something that nobody handled it. */
  readonly crashed: boolean;
  /** What failed, each once, and how often. */
  readonly words: ReadonlyMap<string, number>;
  /** Answered at the end, with the engine back: how many of the typists. */
  readonly recovered: number;
}

const TYPISTS = 5;
const TOKEN_MS = 2;
/** As fast as people type, all but the fastest. */
const GAP_MS = 150;
const DEADLINE_MS = 2_000;
/** Longer than any break, and shorter than the ladder's own look at an engine that failed. */
const RECOVERY_MS = 30_000;

export async function runFaults(
  rounds: number,
  seed: number,
  onRound: (round: number) => void,
): Promise<FaultsReport> {
  return withWorld(TOKEN_MS, async ({ url, engine, stack }) => {
    const random = createRandom(seed);
    const asked: Promise<Asked>[] = [];
    const over = new AbortController();
    const typists = Array.from({ length: TYPISTS }, (_, i) =>
      createTypist({ url, id: i + 1, random: createRandom(seed + i), deadlineMs: DEADLINE_MS }),
    );
    const typing = typists.map(async ({ type }) => {
      while (!over.signal.aborted) {
        asked.push(type());
        await sleep(GAP_MS);
      }
    });
    for (let round = 1; round <= rounds; round++) {
      await sleep(50 + random.below(200));
      if (round % 2) await engine.kill();
      else engine.stall();
      await sleep(50 + random.below(400));
      await engine.kill();
      await engine.live();
      onRound(round);
    }
    over.abort();
    await Promise.all(typing);
    const all = await Promise.all(asked);
    let recovered = 0;
    for (const { type } of typists) {
      for (const until = performance.now() + RECOVERY_MS; performance.now() < until; await sleep(GAP_MS)) {
        if ((await type()).answer?.engine !== "ollama") continue;
        recovered++;
        break;
      }
    }
    const count = (how: Asked["how"]) => all.filter((one) => one.how === how).length;
    return {
      rounds,
      asked: {
        answered: count("answered"),
        "given up": count("given up"),
        failed: count("failed"),
        hung: count("hung"),
      },
      wrong: all.filter(({ isWrong }) => isWrong).length,
      crashed:
        !isRunning(stack.pid("server")) || /unhandled/i.test(readFileSync(stack.logFile("server"), "utf8")),
      words: countOf(all.flatMap(({ words }) => words ?? [])),
      recovered,
    };
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function countOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of words) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
