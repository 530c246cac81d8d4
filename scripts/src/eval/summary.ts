/** Results on the screen. */

import { percentile } from "../bench/figures.ts";
import type { CursorScores } from "./ask-methods.ts";
import { DHI } from "./ask-methods.ts";
import { createBootstrap, meanOf } from "./bootstrap.ts";
import { groupBy } from "./group-by.ts";
import { BUDGET, budgets, recallDepths, type Scores } from "./metrics.ts";

const RESAMPLES = 1000;

export function summary(results: readonly CursorScores[], seed: number): string {
  const methods = Object.keys(results[0]?.scores ?? {});
  const bootstrap = createBootstrap(
    results.map(({ cursor }) => cursor.package),
    RESAMPLES,
    seed,
  );
  const column = (method: string, of: (scores: Scores) => number) =>
    results.map(({ scores }) => {
      const found = scores[method];
      return found ? of(found) : Number.NaN;
    });
  const head = [
    "method".padEnd(22),
    ...recallDepths.map((k) => `recall@${k}`.padStart(9)),
    ...budgets.map((budget) => `cov@${budget}`.padStart(9)),
    "tokens".padStart(7),
    "empty".padStart(6),
    "  Dhi/it recall@5      Dhi/it cov@1024",
  ].join("");
  const rows = methods.map((method) => {
    const recall5 = column(method, recall(5));
    const covered = column(method, coverage(BUDGET));
    const full = [column(DHI, recall(5)), column(DHI, coverage(BUDGET))] as const;
    return [
      method.padEnd(22),
      ...recallDepths.map((k) => percent(meanOf(column(method, recall(k)))).padStart(9)),
      ...budgets.map((budget) => percent(meanOf(column(method, coverage(budget)))).padStart(9)),
      meanOf(column(method, ({ tokens }) => tokens))
        .toFixed(0)
        .padStart(7),
      percent(meanOf(column(method, ({ tokens }) => (tokens ? 0 : 1)))).padStart(6),
      ...[bootstrap.ratio(full[0], recall5), bootstrap.ratio(full[1], covered)].map(
        ({ value, low, high }) => `  ${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`,
      ),
    ].join("");
  });
  const groups = ["package", "language", "kind"] as const;
  const bestOf = (some: readonly CursorScores[], method: string) =>
    [recall(5), coverage(BUDGET)].map((of) =>
      percent(
        meanOf(
          some.map(({ scores }) => {
            const found = scores[method];
            return found ? of(found) : Number.NaN;
          }),
        ),
      ),
    );
  const parts = groups.flatMap((group) => [
    "",
    `${group.padEnd(36)}n    recall@5 / cov@1024 of ${shown(methods).join(", ")}`,
    ...[...groupBy(results, ({ cursor }) => cursor[group])].map(
      ([key, some]) =>
        `${key.padEnd(36)}${String(some.length).padEnd(5)}${shown(methods)
          .map((method) => bestOf(some, method).join(" / "))
          .join("   ")}`,
    ),
  ]);
  const times = results.map(({ retrievalMs }) => retrievalMs);
  return [
    head,
    ...rows,
    ...parts,
    "",
    `retrieval ms: p50 ${percentile(times, 50).toFixed(1)}, p95 ${percentile(times, 95).toFixed(1)}`,
  ].join("\n");
}

const shown = (methods: readonly string[]): string[] =>
  methods.filter((method) => method === DHI || /^(BM25|near|open)/.test(method));

const recall =
  (k: number) =>
  (scores: Scores): number =>
    scores.recall[k] ? 1 : 0;
const coverage =
  (budget: number) =>
  (scores: Scores): number =>
    scores.coverage[budget] ?? Number.NaN;
const percent = (share: number): string => (Number.isNaN(share) ? "-" : (share * 100).toFixed(1));
