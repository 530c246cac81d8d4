/** Several ranked lists → one, thinned: reciprocal rank fusion, nothing twice, nothing the engine sees anyway. */
import type { LegName } from "@dhi/core/protocol";
import type { Candidate } from "./chunk-rows.ts";
import { RANK_WEIGHTS } from "./leg-weights.ts";
import { shareIn, similarity, tellingLines } from "./similarity.ts";
import type { Snippet } from "./snippet.ts";

/** Cormack, Clarke and Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet": k = 60. */
const RRF_K = 60;
const MAX_PER_FILE = 12;
/** More than a prompt can hold: packing chooses among them. */
const MAX_SNIPPETS = 40;
/** A candidate of which more than this share of lines is visible already would only repeat it (design §3). */
const MAX_VISIBLE_SHARE = 0.5;
/** More alike than that, one is a copy of the other: vendored, generated, or left behind. */
const MAX_SIMILARITY = 0.8;

export interface FuseOptions {
  /** Trimmed lines that the engine sees anyway. */
  readonly visible?: ReadonlySet<string>;
  readonly limit?: number;
  readonly maxPerFile?: number;
  /** How much a leg's ranks count; 1 for those not named. */
  readonly weights?: Partial<Readonly<Record<LegName, number>>>;
}

/** @returns best first; the score of a snippet found by one leg of weight 1, at its first place, is 1 / 61 */
export function fuse(
  ranked: ReadonlyMap<LegName, readonly Candidate[]>,
  {
    visible = new Set(),
    limit = MAX_SNIPPETS,
    maxPerFile = MAX_PER_FILE,
    weights = RANK_WEIGHTS,
  }: FuseOptions = {},
): Snippet[] {
  const kept: Kept[] = [];
  const perFile = new Map<string, number>();
  for (const find of addUp(ranked, weights).sort((a, b) => b.score - a.score)) {
    const { path, text } = find.candidate;
    const overlapping = kept.find(({ find: better }) => overlap(better.candidate, find.candidate));
    if (overlapping) {
      absorb(overlapping.find, find);
      continue;
    }
    const inFile = perFile.get(path) ?? 0;
    if (inFile >= maxPerFile || kept.length >= limit) continue;
    const lines = tellingLines(text);
    if (lines.size === 0 || shareIn(lines, visible) > MAX_VISIBLE_SHARE) continue;
    if (kept.some((better) => similarity(better.lines, lines) > MAX_SIMILARITY)) continue;
    perFile.set(path, inFile + 1);
    kept.push({ find, lines });
  }
  return kept.map(({ find }) => snippetOf(find)).sort((a, b) => b.score - a.score);
}

/** One place in a file, and what speaks for it. */
interface Find {
  readonly candidate: Candidate;
  /** What the legs call it: several when it defines several names that were looked for. */
  readonly signatures: Set<string>;
  /** Each leg's place for it, from 0. */
  readonly ranks: Map<LegName, number>;
  score: number;
}

interface Kept {
  readonly find: Find;
  readonly lines: ReadonlySet<string>;
}

function addUp(
  ranked: ReadonlyMap<LegName, readonly Candidate[]>,
  weights: Partial<Readonly<Record<LegName, number>>>,
): Find[] {
  const byPlace = new Map<string, Find>();
  for (const [leg, candidates] of ranked) {
    candidates.forEach((candidate, rank) => {
      const place = `${candidate.path}:${candidate.startLine}-${candidate.endLine}`;
      const find = byPlace.get(place) ?? { candidate, signatures: new Set(), ranks: new Map(), score: 0 };
      byPlace.set(place, find);
      if (candidate.signature) find.signatures.add(candidate.signature);
      // A leg counts once per chunk: two names defined in it are one find.
      if (find.ranks.has(leg)) return;
      find.ranks.set(leg, rank);
      find.score += (weights[leg] ?? 1) / (RRF_K + rank + 1);
    });
  }
  return [...byPlace.values()];
}

/** Chunks that meet inside a line share its number and nothing else. */
const overlap = (a: Candidate, b: Candidate): boolean =>
  a.path === b.path && a.startLine < b.endLine && b.startLine < a.endLine;

/** Lines found twice are shown once, in the form that scored better, and both finds speak for them. */
function absorb(better: Find, other: Find): void {
  better.score += other.score;
  for (const [leg, rank] of other.ranks) better.ranks.set(leg, Math.min(rank, better.ranks.get(leg) ?? rank));
  for (const signature of other.signatures) better.signatures.add(signature);
}

const snippetOf = ({ candidate, signatures, ranks, score }: Find): Snippet => ({
  ...candidate,
  signature: signatures.size ? [...signatures].join("\n") : null,
  score,
  legs: [...ranks.keys()],
  ranks,
});
