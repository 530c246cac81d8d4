/** `npm run bench:load`: the server under load, with a fake engine: many sessions, many requests, an engine that fails. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { recordSections, type Section, sectionText } from "./bench/sections.ts";
import { type FaultsReport, runFaults } from "./load/faults.ts";
import { loadReport } from "./load/report.ts";
import { runSessions, type SessionsRow } from "./load/sessions.ts";
import { growthMb, runSoak, type SoakSample } from "./load/soak.ts";

const usage = `npm run bench:load -- sessions [--keystrokes N] [--report]
npm run bench:load -- soak [--requests N] [--report]
npm run bench:load -- faults [--rounds N] [--seed N] [--report]

  sessions  1, 5 and 20 editors on one engine: how long each waits
            --keystrokes N   of each (default 60)
  soak      requests of sessions that come and go: what the server's process takes
            --requests N     (default 50000: minutes)
  faults    the engine is killed, stalled and started again while five people type
            --rounds N       (default 50)
            --seed N         when (default 1)

  --report  writes docs/bench/load.md and .json

The exit code is 1 when something failed, hung, was another session's, or grew: no session's 95th percentile is above twice
that of the middle one, and the process grows by less than 20 MiB once it is warm.`;

const SESSIONS = [1, 5, 20];
const MOST_UNFAIR = 2;
const MOST_GROWTH_MB = 20;
const root = fileURLToPath(new URL("../..", import.meta.url));

interface Outcome {
  readonly isGood: boolean;
  readonly section: Section;
}

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const number = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...{ keystrokes: number, requests: number, rounds: number, seed: number },
      ...{ report: { type: "boolean" }, help: { type: "boolean" } },
    },
  });
  const [what] = positionals;
  const runs: Readonly<Record<string, () => Promise<Outcome>>> = {
    sessions: () => sessions(Number(values.keystrokes ?? 60)),
    soak: () => soak(Number(values.requests ?? 50_000)),
    faults: () => faults(Number(values.rounds ?? 50), Number(values.seed ?? 1)),
  };
  const run = values.help || what === undefined ? undefined : runs[what];
  if (!run) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const { isGood, section } = await run();
  console.log(`\n${sectionText(section)}`);
  const command = `npm run bench:load -- ${args.join(" ")}`;
  if (values.report && what) recordSections(root, loadReport, what, { command, sections: [section] });
  return isGood ? 0 : 1;
}

async function sessions(keystrokes: number): Promise<Outcome> {
  const rows: SessionsRow[] = [];
  await runSessions(SESSIONS, keystrokes, (row) => {
    rows.push(row);
    console.log(`${row.sessions} sessions: ${row.answered} answered, ${row.failed} failed`);
  });
  return {
    isGood: rows.every(
      ({ failed, wrong, medianP95, worstP95 }) =>
        failed === 0 && wrong === 0 && worstP95 <= MOST_UNFAIR * medianP95,
    ),
    section: {
      title: `${keystrokes} keystrokes of each editor, 200 ms apart, a second after five of them`,
      head: [
        ...["sessions", "answered", "failed", "of another session"],
        ...["p95 of the middle session", "of the slowest", "times"],
      ],
      rows: rows.map(({ sessions, answered, failed, wrong, medianP95, worstP95 }) => [
        ...[sessions, answered, failed, wrong].map(String),
        ...[`${Math.round(medianP95)} ms`, `${Math.round(worstP95)} ms`],
        (worstP95 / medianP95).toFixed(2),
      ]),
    },
  };
}

async function soak(requests: number): Promise<Outcome> {
  const samples = await runSoak(requests, (sample) => console.log(describe(sample)));
  const last = samples.at(-1);
  const growth = growthMb(samples);
  return {
    isGood: growth < MOST_GROWTH_MB && last?.failed === 0 && last.wrong === 0,
    section: {
      title: `${requests} requests, the server's process`,
      head: ["requests", "resident MiB", "processor ms each", "failed", "of another session"],
      rows: samples.map(({ requests, residentMb, cpuMs, failed, wrong }) => [
        ...[String(requests), String(residentMb), cpuMs.toFixed(1), String(failed), String(wrong)],
      ]),
      notes: [
        `- Grew by ${growth} MiB once warm: the middle of the last fifth of the samples beside that of the second fifth; wanted less than ${MOST_GROWTH_MB}.`,
      ],
    },
  };
}

const describe = ({ requests, residentMb, cpuMs, failed }: SoakSample): string =>
  `${requests} requests: ${residentMb} MiB, ${cpuMs.toFixed(1)} ms of processor each, ${failed} failed`;

async function faults(rounds: number, seed: number): Promise<Outcome> {
  const report = await runFaults(rounds, seed, (round) => {
    if (round % 10 === 0) console.log(`${round} of ${rounds} rounds`);
  });
  const { asked, wrong, crashed, recovered } = report;
  return {
    isGood: !crashed && asked.hung === 0 && wrong === 0 && recovered === 5,
    section: faultsSection(report),
  };
}

const faultsSection = ({ rounds, asked, wrong, crashed, recovered, words }: FaultsReport): Section => ({
  title: `${rounds} rounds: the engine is killed or stalled, and started again, while five people type`,
  head: ["", ""],
  rows: [
    ...Object.entries(asked).map(([how, n]) => [`requests ${how}`, String(n)]),
    ["answers of another session", String(wrong)],
    ["the server's process", crashed ? "crashed, or said that nobody handled something" : "runs"],
    ["of five, answered by the engine at the end", String(recovered)],
  ],
  notes: [...words].map(([text, n]) => `- ${n} × ${text.replaceAll("\n", " ")}`),
});

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
