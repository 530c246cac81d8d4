/** Chunks by the names in them. Not BM25 of FTS5: that takes seven times as long, and cannot weigh names by nearness. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { treeOf } from "../graph/tree.ts";
import type { Candidate } from "./chunk-rows.ts";
import { chooseTerms, quoted, startingWith } from "./term-choice.ts";

/** A live chunk whose text is not read yet. */
export interface ChunkPlace extends Omit<Candidate, "text"> {
  readonly textId: number;
  readonly textHash: string;
}

export interface RankedPlaces {
  /** Those first whose names weigh most together. */
  readonly places: readonly ChunkPlace[];
  /** What each name weighs that is in the index and not everywhere: how rare it is, times what was asked for. */
  readonly weights: ReadonlyMap<string, number>;
}

export interface TextsWith {
  /** Lower case, whole identifiers → how much each matters. */
  readonly names: ReadonlyMap<string, number>;
  /** What one more name may start with, in lower case; empty for none. It matters as 1. */
  readonly start: string;
  readonly limit: number;
}

/** Some 2 ms. */
const MAX_ROWS = 1_500;
/** Looked at when every name is everywhere. */
const NEWEST = 200;
/** Times as many are looked at as are wanted: what was typed a moment ago is as alike, and not in the tree any more. */
const NOT_LIVE = 4;

export function textsWith(db: IndexDb, { names, start, limit }: TextsWith): RankedPlaces {
  const { terms, newest, match } = chooseTerms(db, [...names.keys()], { start, maxRanked: MAX_ROWS });
  const texts = prepared<[], { n: number | null }>(db, "SELECT max(id) AS n FROM texts").get()?.n ?? 0;
  const weights = new Map<string, number>();
  const scores = new Map<number, number>();
  for (const [term, chunks] of terms) {
    const isStart = term === start;
    const weight = Math.log1p(texts / chunks) * (isStart ? 1 : (names.get(term) ?? 0));
    weights.set(term, weight);
    for (const id of textsOf(db, isStart ? startingWith(term) : quoted(term), texts))
      scores.set(id, (scores.get(id) ?? 0) + weight);
  }
  if (newest && match) for (const id of newestWith(db, match)) scores.set(id, 0);
  return { places: placesOf(db, best(scores, limit * NOT_LIVE), limit), weights };
}

/** Texts that match, and up to which text the index went when they were last asked for. */
interface Matching {
  readonly ids: number[];
  upTo: number;
}

/** Of one connection: the next keystroke has the same names near it but for one, and the index a few texts more. */
interface Known {
  readonly matching: Map<string, Matching>;
  readonly since: number;
  /** The last text there was. */
  newest: number;
}
/** Texts that are gone stay in it until then, and are in no file. */
const KEEP_MS = 60_000;
/** Some 10 MB at most. */
const MAX_MATCHING = 1_000;
const known = new WeakMap<IndexDb, Known>();

function matchingOf(db: IndexDb, newest: number): Map<string, Matching> {
  const now = performance.now();
  let kept = known.get(db);
  // The newest text may be forgotten, and then its id is given away again.
  const isGood = kept && newest >= kept.newest && now - kept.since < KEEP_MS;
  if (!kept || !isGood || kept.matching.size >= MAX_MATCHING) {
    kept = { matching: new Map(), since: now, newest };
    known.set(db, kept);
  }
  kept.newest = newest;
  return kept.matching;
}

/** @param newest id of the last text there is */
function textsOf(db: IndexDb, match: string, newest: number): readonly number[] {
  const matching = matchingOf(db, newest);
  const one = matching.get(match) ?? { ids: [], upTo: 0 };
  matching.set(match, one);
  if (one.upTo < newest) {
    const more = prepared<[string, number], number>(
      db,
      "SELECT rowid FROM terms WHERE terms MATCH ? AND rowid > ?",
    ).pluck();
    for (const id of more.all(match, one.upTo)) one.ids.push(id);
    one.upTo = newest;
  }
  return one.ids;
}

const newestWith = (db: IndexDb, match: string): number[] =>
  prepared<[string, number], number>(
    db,
    "SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY rowid DESC LIMIT ?",
  )
    .pluck()
    .all(match, NEWEST);

/** Sorting thousands of pairs takes longer than sorting as many numbers and a few pairs. */
function best(scores: ReadonlyMap<number, number>, limit: number): number[] {
  const sorted = Float64Array.from(scores.values()).sort();
  const least = sorted[sorted.length - limit] ?? Number.NEGATIVE_INFINITY;
  const enough: [number, number][] = [];
  for (const [id, score] of scores) if (score >= least) enough.push([id, score]);
  return enough
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, limit)
    .map(([id]) => id);
}

/**
 * One place per text: it may lie in several files, and says nothing new there.
 *
 * @param texts ids, best first
 */
function placesOf(db: IndexDb, texts: readonly number[], limit: number): ChunkPlace[] {
  const tree = treeOf(db);
  const keyOf = (text: number) => `place of text ${text}`;
  const found: ChunkPlace[] = [];
  // Nearly all are in the tree, and the last keystroke has read most of them: those further back are rarely looked at.
  for (let at = 0; found.length < limit && at < texts.length; ) {
    const some = texts.slice(at, at + limit - found.length);
    at += some.length;
    const places = new Map(some.map((text) => [text, tree.peek<ChunkPlace>(keyOf(text))]));
    const unknown = some.filter((text) => !places.get(text));
    for (const place of unknown.length ? readPlaces(db, unknown) : [])
      places.set(
        place.textId,
        tree.ofFile(place.path, keyOf(place.textId), () => place),
      );
    for (const place of places.values()) if (place) found.push(place);
  }
  return found;
}

const readPlaces = (db: IndexDb, texts: readonly number[]): ChunkPlace[] =>
  prepared<[string], ChunkPlace>(
    db,
    // CROSS JOIN keeps the order of the joins.
    `SELECT live.path, live.language, start_line AS startLine, end_line AS endLine, kind, name, signature,
       text_id AS textId, text_hash AS textHash
     FROM json_each(?) AS best
       CROSS JOIN live ON live.path = (
         SELECT path FROM chunks CROSS JOIN live USING (blob_id) WHERE text_id = best.value LIMIT 1
       )
       CROSS JOIN chunks ON text_id = best.value AND chunks.blob_id = live.blob_id
       CROSS JOIN texts ON texts.id = best.value`,
  ).all(JSON.stringify(texts));

/** @returns `""` when it is gone by now */
export const textById = (db: IndexDb, id: number): string =>
  prepared<[number], { text: string }>(db, "SELECT text FROM texts WHERE id = ?").get(id)?.text ?? "";
