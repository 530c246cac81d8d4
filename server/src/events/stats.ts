/** Stored events → how suggestions are received, and how long they take. */
import { type EventCounts, hop, type StatsResponse } from "@dhi/core/events-protocol";
import type { EventDb } from "./event-store.ts";

/** What figures are grouped by; `''`: all in one. */
type Key = "language" | "model" | "mode" | "''";

/** @param since Unix milliseconds */
export function statsSince(db: EventDb, since: number): Omit<StatsResponse, "stored" | "days"> {
  const first = db
    .prepare<[number], { at: number | null }>("SELECT min(at) AS at FROM events WHERE at >= ?")
    .get(since);
  const [all] = countsBy(db, "''", since);
  return {
    since: first?.at ? new Date(first.at).toISOString() : null,
    total: all ? withoutName(all) : NOTHING,
    byLanguage: countsBy(db, "language", since),
    byModel: countsBy(db, "model", since),
    byMode: countsBy(db, "mode", since),
    latency: hop.options.flatMap((name) => percentilesOf(db, name, since)),
  };
}

export const NOTHING: EventCounts = {
  ...{ shown: 0, accepted: 0, partial: 0, rejected: 0, acceptanceRate: null, charsAccepted: 0 },
  kept: [],
};

type Named = EventCounts & { readonly name: string };

const withoutName = ({ name: _, ...counts }: Named): EventCounts => counts;

function countsBy(db: EventDb, key: Key, since: number): Named[] {
  const kept = db
    .prepare<[number], { name: string; afterMs: number; suggestions: number; kept: number }>(
      `SELECT ${key} AS name, after_ms AS afterMs, count(*) AS suggestions, avg(kept) AS kept
       FROM events WHERE at >= ? AND event = 'survived' GROUP BY 1, 2 ORDER BY 2`,
    )
    .all(since);
  // What was accepted was shown, also where that event was lost.
  const rows = db
    .prepare<[number], Omit<Named, "acceptanceRate" | "kept">>(
      `WITH suggestions AS (
         SELECT max(${key}) AS name, max(event = 'accepted') AS accepted, max(event = 'partial') AS partial,
           max(event = 'rejected') AS rejected, max(CASE WHEN event IN ('accepted', 'partial') THEN chars END) AS chars
         FROM events WHERE at >= ? AND event <> 'survived' GROUP BY suggestion)
       SELECT name, count(*) AS shown, sum(accepted) AS accepted, sum(partial AND NOT accepted) AS partial,
         sum(rejected AND NOT accepted AND NOT partial) AS rejected, coalesce(sum(chars), 0) AS charsAccepted
       FROM suggestions GROUP BY name ORDER BY shown DESC, name`,
    )
    .all(since);
  return rows.map((row) => ({
    ...row,
    acceptanceRate: row.accepted / row.shown,
    kept: kept
      .filter(({ name }) => name === row.name)
      .map(({ afterMs, suggestions, kept: mean }) => ({ afterMs, suggestions, kept: mean })),
  }));
}

const COLUMN: Readonly<Record<(typeof hop.options)[number], string>> = {
  keystroke: "latency_ms",
  queue: "queue_ms",
  retrieval: "retrieval_ms",
  prompt: "prompt_ms",
  firstToken: "first_token_ms",
  engine: "engine_ms",
  postprocess: "postprocess_ms",
  total: "total_ms",
};

function percentilesOf(
  db: EventDb,
  name: (typeof hop.options)[number],
  since: number,
): StatsResponse["latency"] {
  const column = COLUMN[name];
  const sorted = db
    .prepare<[number], number>(
      `SELECT ${column} FROM events WHERE at >= ? AND event = 'shown' AND ${column} IS NOT NULL ORDER BY 1`,
    )
    .pluck()
    .all(since) as number[];
  if (sorted.length === 0) return [];
  /** The smallest value that so many of a hundred do not exceed. */
  const percentile = (p: number) => sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? 0;
  return [
    {
      ...{ hop: name, suggestions: sorted.length },
      ...{ p50: percentile(50), p90: percentile(90), p95: percentile(95), p99: percentile(99) },
    },
  ];
}
