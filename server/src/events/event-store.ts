/**
 * `metrics.db`: what became of suggestions. Counts, times, and names of languages, models and modes; nothing in it comes from
 * a file. A suggestion is known by a hash, since a client is free to put anything into its request's id.
 */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CompletionEvent, StoredEvent } from "@dhi/core/events-protocol";
import { languageById } from "@dhi/core/languages";
import Database from "better-sqlite3";
import type { KnownAnswer } from "./known-answers.ts";

export type EventDb = Database.Database;

export interface EventStore {
  readonly db: EventDb;
  /** @returns them as they are stored */
  add(
    events: readonly CompletionEvent[],
    answerOf: (requestId: string) => KnownAnswer | undefined,
  ): StoredEvent[];
  /** The oldest first; what is stored while they are read is not among them. @param since Unix milliseconds */
  rows(since: number): Generator<StoredEvent>;
  close(): void;
}

export interface EventStoreOptions {
  readonly dir: string;
  readonly days: number;
  readonly maxBytes: number;
  readonly now?: () => number;
}

const FILE = "metrics.db";

// after_ms is 0 for all but survived. An event that is sent again, or a partial one that grew, takes the place of the former.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, suggestion TEXT NOT NULL, event TEXT NOT NULL,
    language TEXT NOT NULL, engine TEXT NOT NULL, model TEXT NOT NULL, mode TEXT NOT NULL,
    chars INTEGER, latency_ms REAL, visible_ms REAL, after_ms INTEGER NOT NULL, kept REAL,
    queue_ms REAL, retrieval_ms REAL, prompt_ms REAL, first_token_ms REAL, engine_ms REAL, postprocess_ms REAL,
    total_ms REAL, UNIQUE (suggestion, event, after_ms)
  );
  CREATE INDEX IF NOT EXISTS events_by_time ON events(at);
`;

const DAY_MS = 86_400_000;
/** Looking at the size takes as long as storing a handful of events. */
const PRUNE_EVERY = 500;
/** Of the events, the oldest, when the file is too large. */
const SHARE_PRUNED = 0.1;
/** @throws when the folder cannot be written, or the file is none of SQLite's */
export function openEventStore({ dir, days, maxBytes, now = Date.now }: EventStoreOptions): EventStore {
  mkdirSync(dir, { recursive: true });
  const db = new Database(join(dir, FILE));
  // Takes effect while there is no table yet.
  db.pragma("auto_vacuum = INCREMENTAL");
  db.pragma("journal_mode = WAL");
  db.pragma("journal_size_limit = 1048576");
  db.pragma("synchronous = NORMAL");
  // Else SQLite looks for a folder for temporary files, which a container with a read-only root may not have.
  db.pragma("temp_store = MEMORY");
  db.exec(SCHEMA);

  const insert = db.prepare(`
    INSERT OR REPLACE INTO events (
      at, suggestion, event, language, engine, model, mode, chars, latency_ms, visible_ms, after_ms, kept,
      queue_ms, retrieval_ms, prompt_ms, first_token_ms, engine_ms, postprocess_ms, total_ms
    ) VALUES (
      @at, @suggestion, @event, @language, @engine, @model, @mode, @chars, @latencyMs, @visibleMs, @afterMs, @kept,
      @queue, @retrieval, @prompt, @firstToken, @engineMs, @postprocess, @total
    )`);
  /** A suggestion may outlive the memory of its request, and the process. */
  const earlier = db.prepare<[string], Omit<KnownAnswer, "timings">>(
    `SELECT engine, model, mode, language AS languageId FROM events WHERE suggestion = ? AND engine <> '' LIMIT 1`,
  );
  const rowsAfter = db.prepare<[number, number, number], Row>(ROWS);
  const newestId = db.prepare<[], { id: number | null }>("SELECT max(id) AS id FROM events");
  const deleteBefore = db.prepare("DELETE FROM events WHERE at < ?");
  const deleteOldest = db.prepare(
    "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY at LIMIT ?)",
  );
  let sincePrune = 0;

  function rowOf(event: CompletionEvent, answer: KnownAnswer | undefined) {
    const suggestion = suggestionOf(event.requestId);
    const known = answer ?? earlier.get(suggestion);
    const timings = event.event === "shown" ? answer?.timings : undefined;
    // An editor may send any text; only a name that we know is kept.
    const language = languageById(event.languageId || (known?.languageId ?? "")).id;
    return {
      ...{ at: now(), suggestion, event: event.event, language },
      ...{ engine: known?.engine ?? "", model: known?.model ?? "", mode: known?.mode ?? "" },
      chars: "chars" in event ? event.chars : null,
      latencyMs: "latencyMs" in event ? event.latencyMs : null,
      visibleMs: "visibleMs" in event ? event.visibleMs : null,
      afterMs: "afterMs" in event ? event.afterMs : 0,
      kept: "kept" in event ? event.kept : null,
      ...{ queue: timings?.queue ?? null, retrieval: timings?.retrieval ?? null },
      ...{ prompt: timings?.prompt ?? null, firstToken: timings?.firstToken ?? null },
      ...{ engineMs: timings?.engine ?? null, postprocess: timings?.postprocess ?? null },
      total: timings?.total ?? null,
    };
  }

  function bytes(): number {
    const pragma = (name: string) => Number(db.pragma(name, { simple: true }));
    return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  }

  function prune(): void {
    sincePrune = 0;
    deleteBefore.run(now() - days * DAY_MS);
    for (let left = countOf(db); left > 0 && bytes() > maxBytes; left = countOf(db))
      deleteOldest.run(Math.ceil(left * SHARE_PRUNED));
    db.pragma("incremental_vacuum");
  }

  prune();
  return {
    db,
    add: db.transaction((events, answerOf) => {
      const before = newestId.get()?.id ?? 0;
      for (const event of events) insert.run(rowOf(event, answerOf(event.requestId)));
      const stored = rowsAfter.all(0, before, newestId.get()?.id ?? 0).map(storedOf);
      sincePrune += events.length;
      if (sincePrune >= PRUNE_EVERY) prune();
      return stored;
    }),
    *rows(since) {
      // Page by page: a connection with a statement that is being read does not write.
      const newest = newestId.get()?.id ?? 0;
      for (let last = 0; ; ) {
        const page = rowsAfter.all(since, last, newest);
        yield* page.map(storedOf);
        const end = page.at(-1);
        if (!end) return;
        last = end.id;
      }
    },
    close: () => void db.close(),
  };
}

type Row = Omit<StoredEvent, "at"> & { readonly at: number; readonly id: number };

const storedOf = ({ id: _, at, ...row }: Row): StoredEvent => ({ at: new Date(at).toISOString(), ...row });

const ROWS = `
  SELECT id, at, suggestion, event, language, engine, model, mode, chars, latency_ms AS latencyMs, visible_ms AS visibleMs,
    nullif(after_ms, 0) AS afterMs, kept, queue_ms AS queueMs, retrieval_ms AS retrievalMs, prompt_ms AS promptMs,
    first_token_ms AS firstTokenMs, engine_ms AS engineMs, postprocess_ms AS postprocessMs, total_ms AS totalMs
  FROM events WHERE at >= ? AND id > ? AND id <= ? ORDER BY id LIMIT 1000`;

const countOf = (db: EventDb): number =>
  db.prepare<[], { n: number }>("SELECT count(*) AS n FROM events").get()?.n ?? 0;

const suggestionOf = (requestId: string): string =>
  createHash("sha256").update(requestId).digest("hex").slice(0, 16);
