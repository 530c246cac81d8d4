/** The figures of a run: every method on the same cursors, by itself and against Dhi. */
import { identifiersOf } from "@dhi/core/identifiers";
import { type LegName, legName } from "@dhi/core/protocol";
import { percentile } from "../bench/figures.ts";
import { alone, type CursorScores, DHI, withLeg, without } from "./ask-methods.ts";
import { baselines, oracles } from "./baselines/index.ts";
import { type Bootstrap, createBootstrap, type Estimate, meanOf } from "./bootstrap.ts";
import type { Cursor } from "./cursors.ts";
import { groupBy } from "./group-by.ts";
import { BUDGET, budgets, recallDepths, type Scores } from "./metrics.ts";

/** The two figures that targets are set for. */
export const DEPTH = 5;

export interface MethodFigures {
  readonly method: string;
  /** Share of cursors by depth. */
  readonly recall: Readonly<Record<number, Estimate>>;
  /** Mean share by budget; of the budgets that were asked for. */
  readonly coverage: Readonly<Record<number, Estimate>>;
  /** Mean number of {@link BUDGET}. */
  readonly tokens: number;
  /** Share of cursors for which it found nothing. */
  readonly empty: number;
  /** Dhi's mean by this method's. */
  readonly ratio: { readonly recall: Estimate; readonly coverage: Estimate };
}

/** What a leg of Dhi is worth. */
export interface LegFigures {
  readonly leg: LegName;
  /** Share of the cursors for which it found anything. */
  readonly found: number;
  readonly alone: { readonly recall: Estimate; readonly coverage: Estimate };
  /** Whether Dhi asks it by default. */
  readonly isUsual: boolean;
  /** Dhi with it minus Dhi without: above 0, the leg helps. */
  readonly adds: { readonly recall: Estimate; readonly coverage: Estimate };
}

export interface GroupFigures {
  readonly by: "language" | "kind" | "package" | "hint";
  readonly group: string;
  readonly cursors: number;
  /** By method. */
  readonly recall: Readonly<Record<string, number>>;
  readonly coverage: Readonly<Record<string, number>>;
}

export interface Comparison {
  readonly cursors: number;
  /** Those that need a name which the open file does not show: what coverage is the mean over. */
  readonly cursorsInNeed: number;
  readonly methods: readonly MethodFigures[];
  readonly legs: readonly LegFigures[];
  readonly groups: readonly GroupFigures[];
  /** Of the server, with everything else on the machine, in milliseconds. */
  readonly retrieval: { readonly p50: number; readonly p95: number };
}

const RESAMPLES = 2_000;

export function compare(results: readonly CursorScores[], seed: number): Comparison {
  const strata = results.map(({ cursor }) => cursor.package);
  const bootstrap = createBootstrap(strata, RESAMPLES, seed);
  const asked = new Set(Object.keys(results[0]?.scores ?? {}));
  const methods = [DHI, ...Object.keys(baselines), ...Object.keys(oracles)].filter((name) => asked.has(name));
  const dhi = columnsOf(results, DHI);
  const times = results.map(({ retrievalMs }) => retrievalMs);
  return {
    cursors: results.length,
    cursorsInNeed: dhi.coverage(BUDGET).filter((share) => !Number.isNaN(share)).length,
    methods: methods.map((method) => figuresOf(method, columnsOf(results, method), dhi, bootstrap)),
    legs: legName.options
      .filter((leg) => asked.has(alone(leg)))
      .map((leg) => legFigures(leg, results, bootstrap)),
    groups: (["language", "kind", "package", "hint"] as const).flatMap((by) =>
      groupsBy(by, results, methods),
    ),
    retrieval: { p50: percentile(times, 50), p95: percentile(times, 95) },
  };
}

/** @returns the baseline with the highest mean, no oracle; `undefined` when none was asked */
export function bestBaseline(
  { methods }: Pick<Comparison, "methods">,
  meanIn: (figures: MethodFigures) => number,
): MethodFigures | undefined {
  return methods.filter(({ method }) => method in baselines).sort((a, b) => meanIn(b) - meanIn(a))[0];
}

interface Columns {
  readonly recall: (depth: number) => number[];
  readonly coverage: (budget: number) => number[];
  readonly tokens: number[];
}

function columnsOf(results: readonly CursorScores[], method: string): Columns {
  const column = (of: (scores: Scores) => number) =>
    results.map(({ scores }) => {
      const found = scores[method];
      return found ? of(found) : Number.NaN;
    });
  return {
    recall: (depth) => column(({ recall }) => (recall[depth] ? 1 : 0)),
    coverage: (budget) => column(({ coverage }) => coverage[budget] ?? Number.NaN),
    tokens: column(({ tokens }) => tokens),
  };
}

function figuresOf(method: string, columns: Columns, dhi: Columns, bootstrap: Bootstrap): MethodFigures {
  const [recall, covered] = [columns.recall(DEPTH), columns.coverage(BUDGET)];
  const askedBudgets = budgets.filter((budget) => columns.coverage(budget).some((x) => !Number.isNaN(x)));
  return {
    method,
    recall: Object.fromEntries(recallDepths.map((k) => [k, bootstrap.mean(columns.recall(k))])),
    coverage: Object.fromEntries(askedBudgets.map((b) => [b, bootstrap.mean(columns.coverage(b))])),
    tokens: meanOf(columns.tokens),
    empty: meanOf(columns.tokens.map((tokens) => (tokens ? 0 : 1))),
    ratio: {
      recall: bootstrap.ratio(dhi.recall(DEPTH), recall),
      coverage: bootstrap.ratio(dhi.coverage(BUDGET), covered),
    },
  };
}

function legFigures(leg: LegName, results: readonly CursorScores[], bootstrap: Bootstrap): LegFigures {
  const isUsual = results.some(({ scores }) => without(leg) in scores);
  const pair = isUsual ? [DHI, without(leg)] : [withLeg(leg), DHI];
  const [only, more, less] = [alone(leg), ...pair].map((method) => columnsOf(results, method));
  const recall = (columns: Columns | undefined) => columns?.recall(DEPTH) ?? [];
  const covered = (columns: Columns | undefined) => columns?.coverage(BUDGET) ?? [];
  return {
    ...{ leg, isUsual },
    found: meanOf(results.map(({ legs }) => (legs.includes(leg) ? 1 : 0))),
    alone: { recall: bootstrap.mean(recall(only)), coverage: bootstrap.mean(covered(only)) },
    adds: {
      recall: bootstrap.difference(recall(more), recall(less)),
      coverage: bootstrap.difference(covered(more), covered(less)),
    },
  };
}

/**
 * What the open file says of the names that are looked for. Cutting a line out of finished code leaves an import that is
 * used nowhere else: a hint that somebody who imports later does not give.
 */
export function hintOf({ prefix, suffix, gold }: Pick<Cursor, "prefix" | "suffix" | "gold">): string {
  const counts = new Map(gold.map(({ name }) => [name, 0]));
  for (const text of [prefix, suffix])
    for (const name of identifiersOf(text)) {
      const count = counts.get(name);
      if (count !== undefined) counts.set(name, count + 1);
    }
  const all = [...counts.values()];
  if (all.includes(1)) return "named once, mostly by its import";
  return all.some((count) => count > 1) ? "named more often" : "not named";
}

function groupsBy(
  by: GroupFigures["by"],
  results: readonly CursorScores[],
  methods: readonly string[],
): GroupFigures[] {
  const groupOf = ({ cursor }: CursorScores) => (by === "hint" ? hintOf(cursor) : cursor[by]);
  return [...groupBy(results, groupOf)].map(([group, some]) => {
    const means = (of: (columns: Columns) => number[]) =>
      Object.fromEntries(methods.map((method) => [method, meanOf(of(columnsOf(some, method)))]));
    return {
      ...{ by, group, cursors: some.length },
      recall: means(({ recall }) => recall(DEPTH)),
      coverage: means(({ coverage }) => coverage(BUDGET)),
    };
  });
}
