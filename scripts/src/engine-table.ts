/** What vitest reports of the engines' contract suites → a table, behaviour × engine. */

/** The parts of vitest's JSON report that matter here. */
export interface TestReport {
  readonly testResults: readonly { readonly assertionResults: readonly TestResult[] }[];
}

interface TestResult {
  /** The suite first, `ollama engine on a fake Ollama`: an engine, and what it runs on. */
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly meta?: { readonly note?: string };
}

const SUITE = /^(.+ engine) (on|when)\b/;
const CELLS: Readonly<Record<string, string>> = { passed: "✓", failed: "✗" };

/** @returns the table in Markdown; an empty cell is a behaviour that was not tested there */
export function engineTable({ testResults }: TestReport): string {
  const rows = new Map<string, Map<string, string>>();
  const columns = new Set<string>();
  for (const { ancestorTitles, title, status, meta } of testResults.flatMap((r) => r.assertionResults)) {
    const column = columnOf(ancestorTitles[0] ?? "");
    if (!column) continue;
    columns.add(column);
    const row = rows.get(title) ?? new Map<string, string>();
    rows.set(title, row.set(column, [CELLS[status] ?? "", meta?.note ?? ""].join(" ").trim()));
  }
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    line(["behaviour", ...columns]),
    line(["---", ...[...columns].map(() => "---")]),
    ...[...rows].map(([title, row]) => line([title, ...[...columns].map((column) => row.get(column) ?? "")])),
  ].join("\n");
}

/** @returns `undefined` for a suite that is about one engine alone */
function columnOf(suite: string): string | undefined {
  const engine = SUITE.exec(suite)?.[1]?.replace(/ engine$/, "");
  if (!engine) return suite === "instant engine" ? "instant" : undefined;
  if (!suite.includes("the real server")) return `${engine}, fake`;
  const on = / on (llama-server) on the real/.exec(suite)?.[1];
  return `${engine}, real${on ? ` ${on}` : ""}`;
}
