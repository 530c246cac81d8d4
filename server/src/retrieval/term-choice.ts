/**
 * Which of a query's terms are ranked. BM25 looks at every chunk that holds any of them, at 1.4 µs each and more (450,000
 * chunks: 275 ms for `const` alone), so the rarest come first: they tell chunks apart, and BM25 weighs them most anyway.
 */
import { type IndexDb, prepared } from "@dhi/core/index-db";

export interface TermChoice {
  /** In FTS5's syntax; `""` when no chunk holds any of the terms. */
  readonly match: string;
  /** Each term is everywhere: only the newest {@link MAX_RANKED} chunks that match are ranked. */
  readonly newest: boolean;
  /** How many chunks hold each of the terms that are ranked, rarest first; the start goes by itself. Empty with `newest`. */
  readonly terms: ReadonlyMap<string, number>;
}

/** Some 6 ms of ranking. The terms around a cursor have fewer chunks than that up to a thousand files: none is left out. */
export const MAX_RANKED = 4_000;
/** A start that so many words have says nothing about which of them is meant, and costs the most. */
const MAX_WORDS = 64;
/** Looked at; a pasted file has thousands. */
const MAX_TERMS = 64;
/** Of those that are everywhere, so many have to stand in a chunk together. */
const MAX_TOGETHER = 3;

export interface TermChoiceOptions {
  /** What one more term may start with; empty for none. */
  readonly start?: string;
  /** Chunks that are looked at for all terms together. */
  readonly maxRanked?: number;
}

/** @param terms as the index holds them (`termsOf`); each may match */
export function chooseTerms(
  db: IndexDb,
  terms: readonly string[],
  { start = "", maxRanked = MAX_RANKED }: TermChoiceOptions = {},
): TermChoice {
  const wanted = [...new Set(terms)].slice(0, MAX_TERMS).map((term) => ({ term, match: quoted(term) }));
  if (start && countWords(db, start) <= MAX_WORDS) wanted.push({ term: start, match: startingWith(start) });
  const rarestFirst = wanted
    .map((one) => ({ ...one, chunks: countChunks(db, one.match, maxRanked) }))
    .filter(({ chunks }) => chunks > 0)
    .sort((a, b) => a.chunks - b.chunks);

  const chosen: string[] = [];
  const ranked = new Map<string, number>();
  let rows = 0;
  for (const { term, match, chunks } of rarestFirst) {
    rows += chunks;
    if (rows > maxRanked) break;
    chosen.push(match);
    ranked.set(term, chunks);
  }
  if (chosen.length) return { match: chosen.join(" OR "), newest: false, terms: ranked };
  const together = rarestFirst.slice(0, MAX_TOGETHER).map(({ match }) => match);
  const all = together.join(" AND ");
  return {
    match: all && countChunks(db, all, maxRanked) > 0 ? all : (together[0] ?? ""),
    newest: true,
    terms: new Map(),
  };
}

/** FTS5's string syntax. */
export const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;
export const startingWith = (start: string): string => `${quoted(start)}*`;

/** Of one connection: terms are asked for again with each keystroke, and how rare they are changes slowly. */
interface Counts {
  readonly chunks: Map<string, number>;
  readonly since: number;
}
const KEEP_COUNTS_MS = 60_000;
const MAX_COUNTS = 5_000;
const known = new WeakMap<IndexDb, Counts>();

function countsOf(db: IndexDb): Map<string, number> {
  const now = performance.now();
  const before = known.get(db);
  if (before && now - before.since < KEEP_COUNTS_MS && before.chunks.size < MAX_COUNTS) return before.chunks;
  const chunks = new Map<string, number>();
  known.set(db, { chunks, since: now });
  return chunks;
}

/** @returns at most `most + 1` */
function countChunks(db: IndexDb, match: string, most: number): number {
  const counts = countsOf(db);
  const key = `${most} ${match}`;
  const before = counts.get(key);
  // What was not there a moment ago may be what was just typed.
  if (before) return before;
  const row = prepared<[string, number], { n: number }>(
    db,
    "SELECT count(*) AS n FROM (SELECT 1 FROM terms WHERE terms MATCH ? LIMIT ?)",
  ).get(match, most + 1);
  const chunks = row?.n ?? 0;
  counts.set(key, chunks);
  return chunks;
}

/** Connections that have the table of words. */
const withWords = new WeakSet<IndexDb>();

/** @returns at most `MAX_WORDS + 1` */
function countWords(db: IndexDb, start: string): number {
  if (!withWords.has(db)) {
    db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, terms, row)");
    withWords.add(db);
  }
  const row = prepared<[string, string, number], { n: number }>(
    db,
    "SELECT count(*) AS n FROM (SELECT 1 FROM temp.words WHERE term >= ? AND term < ? LIMIT ?)",
  ).get(start, `${start}\u{10ffff}`, MAX_WORDS + 1);
  return row?.n ?? 0;
}
