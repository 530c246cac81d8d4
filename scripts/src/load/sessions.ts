/** Many editors on one engine: whether one of them waits longer than the others. */
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../bench/figures.ts";
import { createRandom } from "../bench/random.ts";
import { createTypist, hasFailed } from "./typist.ts";
import { withWorld } from "./world.ts";

export interface SessionsRow {
  readonly sessions: number;
  readonly answered: number;
  readonly failed: number;
  readonly wrong: number;
  /** The 95th percentile of each session, in milliseconds: the middle one, and the longest. */
  readonly medianP95: number;
  readonly worstP95: number;
}

/** An engine on a good graphics card: a line in some 30 ms. */
const TOKEN_MS = 2;
/** Between two keystrokes that are asked for. */
const GAP_MS = 200;
/** After each word: what was asked for last is answered then, and not given up for the next keystroke. */
const WORD = 5;
const PAUSE_MS = 1_000;

export async function runSessions(
  counts: readonly number[],
  keystrokes: number,
  onRow: (row: SessionsRow) => void,
): Promise<void> {
  await withWorld(TOKEN_MS, async ({ url }) => {
    let id = 0;
    for (const sessions of counts) {
      const typists = Array.from({ length: sessions }, () => {
        id++;
        return createTypist({ url, id, random: createRandom(id), deadlineMs: 10_000 });
      });
      const all = await Promise.all(
        typists.map(async ({ type }, i) => {
          const asked = [];
          await sleep((GAP_MS * i) / sessions);
          for (let n = 0; n < keystrokes; n++) {
            asked.push(type());
            await sleep((n + 1) % WORD === 0 ? PAUSE_MS : GAP_MS);
          }
          return Promise.all(asked);
        }),
      );
      const answered = all.map((asked) => asked.filter(({ how }) => how === "answered"));
      const p95s = answered.map((asked) =>
        percentile(
          asked.map(({ ms }) => ms),
          95,
        ),
      );
      const count = (of: (asked: (typeof all)[number][number]) => boolean) => all.flat().filter(of).length;
      onRow({
        sessions,
        answered: answered.flat().length,
        failed: count(hasFailed),
        wrong: count(({ isWrong }) => isWrong),
        medianP95: percentile(p95s, 50),
        worstP95: Math.max(...p95s),
      });
    }
  });
}
