/** `npm run bench:load`: the server under load, with a fake engine: many sessions, many requests, an engine that fails. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runFaults } from "./load/faults.ts";
import { runSessions } from "./load/sessions.ts";
import { growthMb, runSoak } from "./load/soak.ts";

const usage = `npm run bench:load -- sessions [--keystrokes N]
npm run bench:load -- soak [--requests N]
npm run bench:load -- faults [--rounds N] [--seed N]

  sessions  1, 5 and 20 editors on one engine: how long each waits
            --keystrokes N   of each (default 60)
  soak      requests of sessions that come and go: what the server's process takes
            --requests N     (default 50000: minutes)
  faults    the engine is killed, stalled and started again while five people type
            --rounds N       (default 50)
            --seed N         when (default 1)

The exit code is 1 when something failed, hung, was another session's, or grew: no session's 95th percentile is above twice
that of the middle one, and the process grows by less than 20 MiB once it is warm.`;

const SESSIONS = [1, 5, 20];
const MOST_UNFAIR = 2;
const MOST_GROWTH_MB = 20;

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const number = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...{ keystrokes: number, requests: number, rounds: number, seed: number },
      help: { type: "boolean" },
    },
  });
  const [what] = positionals;
  const runs: Readonly<Record<string, () => Promise<boolean>>> = {
    sessions: () => sessions(Number(values.keystrokes ?? 60)),
    soak: () => soak(Number(values.requests ?? 50_000)),
    faults: () => faults(Number(values.rounds ?? 50), Number(values.seed ?? 1)),
  };
  const run = values.help || what === undefined ? undefined : runs[what];
  if (!run) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  return (await run()) ? 0 : 1;
}

async function sessions(keystrokes: number): Promise<boolean> {
  let isGood = true;
  console.log(
    "| sessions | answered | failed | of another session | p95 of the middle session | of the slowest |",
  );
  console.log("|---|---|---|---|---|---|");
  await runSessions(SESSIONS, keystrokes, (row) => {
    const { sessions, answered, failed, wrong, medianP95, worstP95 } = row;
    const [median, worst] = [medianP95, worstP95].map((ms) => `${Math.round(ms)} ms`);
    console.log(`| ${[sessions, answered, failed, wrong, median, worst].join(" | ")} |`);
    isGood &&= failed === 0 && wrong === 0 && worstP95 <= MOST_UNFAIR * medianP95;
  });
  return isGood;
}

async function soak(requests: number): Promise<boolean> {
  const samples = await runSoak(requests, (sample) =>
    console.log(
      `${sample.requests} requests: ${sample.residentMb} MiB, ${sample.cpuMs.toFixed(1)} ms of processor each, ${sample.failed} failed`,
    ),
  );
  const last = samples.at(-1);
  const growth = growthMb(samples);
  console.log(`grew by ${growth} MiB once warm; ${last?.failed} failed, ${last?.wrong} of another session`);
  return growth < MOST_GROWTH_MB && last?.failed === 0 && last.wrong === 0;
}

async function faults(rounds: number, seed: number): Promise<boolean> {
  const report = await runFaults(rounds, seed, (round) => {
    if (round % 10 === 0) console.log(`${round} of ${rounds} rounds`);
  });
  const { asked, wrong, crashed, recovered, words } = report;
  const counts = Object.entries(asked).map(([how, n]) => `${n} ${how}`);
  console.log(`${rounds} rounds: ${counts.join(", ")}; ${wrong} of another session`);
  console.log(`process ${crashed ? "crashed" : "fine"}; ${recovered} of 5 answered by the engine at the end`);
  for (const [text, n] of words) console.log(`  ${n} × ${text.replaceAll("\n", " ")}`);
  return !crashed && asked.hung === 0 && wrong === 0 && recovered === 5;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
