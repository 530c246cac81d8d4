/** `dhi stats`: how suggestions are received, from what this machine has stored. */
import type { EventCounts, StatsResponse } from "@dhi/core/events-protocol";
import { type Command, EXIT, numberOf, UsageError } from "../command.ts";
import { hasFields } from "../server.ts";
import { table } from "../table.ts";

export const stats: Command = {
  ...{ name: "stats", parameters: "", least: 0, most: 0 },
  summary: "shown, accepted and kept suggestions, and how long they take (DHI_METRICS=on)",
  options: {
    days: { type: "string", describe: "how far back, 30 by default" },
    csv: { type: "boolean", describe: "each stored event as a line of CSV" },
  },
  exits: "0 there are figures, 1 nothing is stored",
  async run(call) {
    const { server, surroundings, json, options } = call;
    if (json && options.csv) throw new UsageError("--json and --csv: take one of them");
    const days = numberOf(call, "days", 3_650);
    const query = days === undefined ? {} : { days: String(days) };
    if (options.csv) {
      const lines = (await server.text("/v1/events", { ...query, format: "csv" }, "text/csv")).trimEnd();
      surroundings.print(lines);
      // The first one names the columns.
      return lines.includes("\n") ? EXIT.yes : EXIT.no;
    }
    const answer = await server.get("/v1/stats", query, isStats);
    surroundings.print(json ? JSON.stringify(answer) : describe(answer));
    return answer.total.shown > 0 ? EXIT.yes : EXIT.no;
  },
};

const isStats = hasFields<StatsResponse>("stored", "total", "latency");

function describe({
  stored,
  days,
  since,
  total,
  byLanguage,
  byModel,
  byMode,
  latency,
}: StatsResponse): string {
  if (!stored) return "Nothing is stored: the server was started without DHI_METRICS=on.";
  if (since === null) return `Nothing is stored of the last ${days} days.`;
  const groups = { language: byLanguage, model: byModel, mode: byMode };
  const parts = Object.entries(groups).map(([by, rows]) =>
    table([[`by ${by}`, ...HEAD], ...rows.map(({ name, ...counts }) => [name || "unknown", ...row(counts)])]),
  );
  const times = latency.map(({ hop, suggestions, p50, p90, p95, p99 }) => [
    hop,
    String(suggestions),
    ...[p50, p90, p95, p99].map((ms) => ms.toFixed(1)),
  ]);
  return [
    `Suggestions since ${since.slice(0, 10)}`,
    table([
      ["", ...HEAD],
      ["all", ...row(total)],
    ]),
    ...parts,
    table([["milliseconds", "shown", "p50", "p90", "p95", "p99"], ...times]),
  ].join("\n\n");
}

/** After which an accepted text is looked at again, as columns. */
const AFTER = [30_000, 120_000, 300_000, 600_000] as const;
const HEAD = ["shown", "accepted", "partial", "rejected", "rate", "kept 30 s", "2 min", "5 min", "10 min"];

function row({ shown, accepted, partial, rejected, acceptanceRate, kept }: EventCounts): string[] {
  const percent = (share: number | null | undefined) =>
    share == null ? "–" : `${Math.round(100 * share)} %`;
  return [
    ...[shown, accepted, partial, rejected].map(String),
    percent(acceptanceRate),
    ...AFTER.map((ms) => percent(kept.find(({ afterMs }) => afterMs === ms)?.kept)),
  ];
}
