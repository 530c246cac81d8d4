/** `docs/bench/NAME.{md,json}` for benches whose results are tables: what was measured last of each part. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../eval/tables.ts";
import { describeRun } from "./report.ts";

export interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes?: readonly string[];
}

export interface SectionsReport {
  /** Of its files, without `.md` and `.json`. */
  readonly name: string;
  /** Markdown above the parts. */
  readonly head: string;
  /** What each part is called, in the order in which they stand there. */
  readonly titles: Readonly<Record<string, string>>;
}

interface Recorded extends ReturnType<typeof describeRun> {
  /** How it was measured: the command line. */
  readonly command: string;
  readonly sections: readonly Section[];
}

type Document = Readonly<Record<string, Recorded>>;

/** Replaces what an earlier run said of the same part; the others stay. @param root of our repository */
export function recordSections(
  root: string,
  report: SectionsReport,
  part: string,
  { command, sections }: Pick<Recorded, "command" | "sections">,
): void {
  const dir = join(root, "docs", "bench");
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `${report.name}.json`);
  const before: Document = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const now: Document = { ...before, [part]: { ...describeRun(root), command, sections } };
  writeFileSync(file, `${JSON.stringify(now, null, 1)}\n`);
  writeFileSync(join(dir, `${report.name}.md`), markdown(report, now));
}

export const sectionText = ({ title, head, rows, notes = [] }: Section): string =>
  [`### ${title}`, table(head, rows), ...notes].join("\n\n");

function markdown({ head, titles }: SectionsReport, document: Document): string {
  const parts = Object.entries(titles).flatMap(([part, title]) => {
    const recorded = document[part];
    if (!recorded) return [];
    const { sections, command, machine, commit, date } = recorded;
    const run = `\`${command}\`: ${machine}; commit ${commit}, ${date}.`;
    return [[`## ${title}`, ...sections.map(sectionText), run].join("\n\n")];
  });
  return `${[head.trim(), ...parts].join("\n\n")}\n`;
}
