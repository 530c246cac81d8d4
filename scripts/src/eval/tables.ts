/** The figures of a run as Markdown, which reads well on a screen too. */
import { baselines } from "./baselines/index.ts";
import type { Estimate } from "./bootstrap.ts";
import { bestBaseline, type Comparison, DEPTH, type GroupFigures } from "./comparison.ts";
import { BUDGET, recallDepths } from "./metrics.ts";

/** What issue 5 asks for, as ratios to the best baseline. */
const TARGETS = { recall: 1.5, coverage: 1.3 } as const;

/** One line for each of the two targets; empty without baselines. */
export function verdict(comparison: Comparison): string {
  const recall = bestBaseline(comparison, (figures) => figures.recall[DEPTH]?.value ?? 0);
  const coverage = bestBaseline(comparison, (figures) => figures.coverage[BUDGET]?.value ?? 0);
  if (!recall || !coverage) return "";
  const line = (what: string, ratio: Estimate, baseline: string, target: number) =>
    `- ${what}: ${times(ratio)} the best baseline (${baseline}); target ${target}: ${ratio.value >= target && ratio.low > 1 ? "reached" : "**missed**"}.`;
  return [
    line(`definition recall@${DEPTH}`, recall.ratio.recall, recall.method, TARGETS.recall),
    line(`identifier coverage@${BUDGET}`, coverage.ratio.coverage, coverage.method, TARGETS.coverage),
  ].join("\n");
}

export function methodTable({ methods }: Comparison): string {
  const budgets = Object.keys(methods[0]?.coverage ?? {}).map(Number);
  return table(
    [
      "method",
      ...recallDepths.map((k) => `recall@${k}`),
      ...budgets.map((budget) => `coverage@${budget}`),
      "tokens",
      "no context",
      `Dhi ÷ it, recall@${DEPTH}`,
      `Dhi ÷ it, coverage@${BUDGET}`,
    ],
    methods.map(({ method, recall, coverage, tokens, empty, ratio }) => [
      method,
      ...recallDepths.map((k) => percent(recall[k]?.value)),
      ...budgets.map((budget) => percent(coverage[budget]?.value)),
      tokens.toFixed(0),
      percent(empty),
      times(ratio.recall),
      times(ratio.coverage),
    ]),
  );
}

export const legTable = ({ legs }: Comparison): string =>
  table(
    [
      "leg",
      "finds something",
      `alone: recall@${DEPTH}`,
      `alone: coverage@${BUDGET}`,
      `adds to recall@${DEPTH}`,
      `adds to coverage@${BUDGET}`,
    ],
    legs.map(({ leg, isUsual, found, alone, adds }) => [
      isUsual ? leg : `${leg} (off)`,
      percent(found),
      percent(alone.recall.value),
      percent(alone.coverage.value),
      points(adds.recall),
      points(adds.coverage),
    ]),
  );

/** recall / coverage of Dhi and its baselines. */
export function groupTable({ groups }: Comparison, by: GroupFigures["by"]): string {
  const some = groups.filter((group) => group.by === by);
  const methods = Object.keys(some[0]?.recall ?? {}).filter((method) => method !== Object.keys(baselines)[0]);
  return table(
    [by, "cursors", ...methods],
    some.map(({ group, cursors, recall, coverage }) => [
      group,
      String(cursors),
      ...methods.map((method) => `${percent(recall[method])} / ${percent(coverage[method])}`),
    ]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (i ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2))).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

const isShown = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);

export const percent = (share: number | undefined): string =>
  isShown(share) ? `${(share * 100).toFixed(1)} %` : "–";

const times = ({ value, low, high }: Estimate): string =>
  isShown(value) ? `${value.toFixed(2)} (${low.toFixed(2)}–${isShown(high) ? high.toFixed(2) : "∞"})` : "–";

/** Percentage points, signed. */
export const points = ({ value, low, high }: Estimate): string =>
  isShown(value) ? `${signed(value)} (${signed(low)} to ${signed(high)})` : "–";

const signed = (share: number): string => `${share >= 0 ? "+" : "−"}${Math.abs(share * 100).toFixed(1)}`;
