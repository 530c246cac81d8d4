/** The coverage table beside a peer's: for people, and as JSON. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeRun } from "../bench/report.ts";
import type { CoverageResult, LanguageCoverage } from "./measure.ts";

/**
 * Share of lines that Continue's tree-sitter chunker puts into a chunk, measured by us on its own source
 * (continuedev/continue @d0a3c0b62, core/indexing/chunk/code.ts, its default of 500 tokens): by the text of lines of four
 * characters and more, test files left out. Other repositories than ours, since it is the chunker that decides.
 */
const CONTINUE: Readonly<Record<string, string>> = {
  typescript: "16.7 % (hono), 18.7 % (twinny), 31.1 % (tabby-agent), 32.8 % (continue/core)",
  go: "59.4 % (gin)",
  python: "73.6 % (flask)",
};

/** @param root of our repository; @param packages what was measured */
export function recordCoverage(root: string, packages: readonly string[], result: CoverageResult): void {
  const dir = join(root, "docs", "bench");
  mkdirSync(dir, { recursive: true });
  const run = describeRun(root);
  writeFileSync(
    join(dir, "coverage.json"),
    `${JSON.stringify({ ...run, packages, ...result, continue: CONTINUE }, null, 2)}\n`,
  );
  writeFileSync(
    join(dir, "coverage.md"),
    `# What the chunks cover

Made by \`npm run coverage\`; do not edit. Every text file of ${packages.length} packages (${packages.join(", ")}), as the index
would take it; left out by the index's own rules: ${listed(result.skipped)}.

${coverageTable(result.languages)}

- **lines in a chunk**: share of the lines that are not blank and stand whole in one chunk. Each chunk is embedded and in
  the lexical index. The rest are single lines longer than a chunk may be (2,000 characters that are not blank), which are
  cut. A notebook's lines are those of its JSON; what is searched of a cell is its source.
- **whole**: definitions, with doc comment and decorators, that fit into one chunk and are in one. The rest stand inside a
  function that had to be cut.
- **head kept**: definitions that had to be cut, whose doc comment, decorators and name still share a chunk.
- **× parse**: processor time of the whole analysis (parsing, chunks, definitions, references, imports) ÷ of parsing alone.
- **Continue**: measured by us on its own source (commit d0a3c0b62, its default of 500 tokens), share of the lines of four
  characters and more that are in any chunk, in the repositories named; that it has no figure says that none was measured.

Stored otherwise, and broken:

${checkTable(result)}

${run.machine}; commit ${run.commit}, ${run.date}.
`,
  );
}

export function coverageTable(languages: readonly LanguageCoverage[]): string {
  const rows = languages.map((c) => [
    c.language,
    String(c.files),
    String(c.lines),
    percent(c.wholeLines, c.lines),
    String(c.chunks),
    String(c.chunksOverBudget),
    String(c.definitions),
    percent(c.wholeDefinitions, c.definitions),
    percent(c.largeWithHead, c.largeDefinitions),
    c.timesParse === null ? "" : c.timesParse.toFixed(2),
    CONTINUE[c.language] ?? "",
  ]);
  const head = [
    ...[
      "language",
      "files",
      "lines",
      "lines in a chunk",
      "chunks",
      "over budget",
      "definitions that fit",
      "whole",
    ],
    ...["head kept", "× parse", "Continue, lines in a chunk"],
  ];
  return table(head, rows);
}

export const checkTable = ({ checks }: CoverageResult): string =>
  table(
    ["check", "files", "not so"],
    checks.map(({ check, files, failed }) => [check, String(files), String(failed)]),
  );

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Rounded down, so that 100 % means all. */
const percent = (part: number, all: number): string =>
  all === 0 ? "" : `${(Math.floor((100_000 * part) / all) / 1_000).toFixed(3).replace(/\.?0+$/, "")} %`;

function listed(skipped: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(skipped).map(([reason, files]) => `${files} ${reason}`);
  return reasons.join(", ") || "none";
}
