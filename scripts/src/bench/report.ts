/** What was measured, where and of which commit: a table for people and the same as JSON. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The value shall not exceed it. */
  readonly limit?: number;
}

export interface Measured {
  readonly figures: readonly Figure[];
  /** What a reader must know to read the figures. */
  readonly notes: readonly string[];
}

interface Measurement extends Measured {
  readonly part: string;
  /** In the repository. */
  readonly files: number;
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
}

/** A document in `docs/bench`. */
export interface Report {
  /** Of its files, without `.md` and `.json`. */
  readonly name: string;
  /** Markdown above the tables. */
  readonly head: string;
  /** What each part is called, in the order in which they stand there. */
  readonly titles: Readonly<Record<string, string>>;
}

interface Recorded {
  readonly measurements: readonly Measurement[];
}

/**
 * Replaces what an earlier run measured of the same part and size; everything else stays.
 *
 * @param root of our repository
 */
export function record(
  root: string,
  report: Report,
  { part, files, ...measured }: Measured & Pick<Measurement, "part" | "files">,
): void {
  const dir = join(root, "docs", "bench");
  mkdirSync(dir, { recursive: true });
  const now: Measurement = { part, files, ...measured, ...describeRun(root) };
  const others = read(dir, report).filter((m) => m.part !== part || m.files !== files);
  const parts = Object.keys(report.titles);
  const order = (m: Measurement) => parts.indexOf(m.part);
  const measurements = [...others, now].sort((a, b) => order(a) - order(b) || a.files - b.files);
  writeFileSync(join(dir, `${report.name}.json`), `${JSON.stringify({ measurements }, null, 2)}\n`);
  writeFileSync(join(dir, `${report.name}.md`), markdown(report, measurements));
}

/** @returns whether this part and size has been measured of the commit that is checked out, without changes to it */
export function isRecorded(root: string, report: Report, part: string, files: number): boolean {
  const { commit } = describeRun(root);
  if (commit.endsWith(CHANGED)) return false;
  return read(join(root, "docs", "bench"), report).some(
    (m) => m.part === part && m.files === files && m.commit === commit,
  );
}

/** `- save → searchable, p95: 84 ms (≤ 100)` */
export const describeFigure = ({ what, value, unit, limit }: Figure): string =>
  `${what}: ${rounded(value)}${unit && ` ${unit}`}${limit === undefined ? "" : ` (≤ ${limit}${value <= limit ? "" : ", MISSED"})`}`;

function read(dir: string, { name }: Report): readonly Measurement[] {
  const file = join(dir, `${name}.json`);
  if (!existsSync(file)) return [];
  const { measurements }: Recorded = JSON.parse(readFileSync(file, "utf8"));
  return measurements;
}

const CHANGED = " with changes";

/** Which commit of our repository runs where. */
export function describeRun(root: string): Pick<Measurement, "commit" | "date" | "machine"> {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const memory = Math.round(totalmem() / 1024 ** 3);
  // What a bench or an evaluation writes is no change to what it measures.
  const changed =
    git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/bench", ":!docs/eval") !== "";
  return {
    commit: git("rev-parse", "--short=12", "HEAD") + (changed ? CHANGED : ""),
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${memory} GiB, Node ${process.versions.node}`,
  };
}

function markdown({ head, titles }: Report, measurements: readonly Measurement[]): string {
  const parts = measurements.map(
    ({ part, files, figures, notes, commit, date, machine }) => `## ${titles[part] ?? part}, ${files} files

| | measured | limit |
|---|---|---|
${figures.map(({ what, value, unit, limit }) => `| ${what} | ${rounded(value)}${unit && ` ${unit}`} | ${limit === undefined ? "" : `${limit}${value <= limit ? "" : " **missed**"}`} |`).join("\n")}

${notes.map((note) => `${note}\n`).join("\n")}
${machine}; commit ${commit}, ${date}.
`,
  );
  return `${head}\n${parts.join("\n")}`;
}

function rounded(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}
