/** Several ranked lists → one, thinned: reciprocal rank fusion, nothing the engine sees anyway, a cap per file. */
import type { LegName } from "@dhi/core/protocol";
import type { Candidate } from "./chunk-rows.ts";
import type { Snippet } from "./snippet.ts";

/** Cormack, Clarke and Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet": k = 60. */
const RRF_K = 60;
const MAX_PER_FILE = 3;
const MAX_SNIPPETS = 12;
/** A candidate of which more than this share of lines is visible already would only repeat it (design §3). */
const MAX_VISIBLE_SHARE = 0.5;

export interface FuseOptions {
  /** Trimmed lines that the engine sees anyway. */
  readonly visible?: ReadonlySet<string>;
  readonly limit?: number;
  readonly maxPerFile?: number;
  /** How much a leg's ranks count; 1 for those not named. */
  readonly weights?: Partial<Readonly<Record<LegName, number>>>;
}

/** @returns best first */
export function fuse(
  ranked: ReadonlyMap<LegName, readonly Candidate[]>,
  { visible = new Set(), limit = MAX_SNIPPETS, maxPerFile = MAX_PER_FILE, weights = {} }: FuseOptions,
): Snippet[] {
  const byPlace = new Map<string, { candidate: Candidate; score: number; legs: LegName[] }>();
  for (const [leg, candidates] of ranked) {
    const seen = new Set<string>();
    candidates.forEach((candidate, rank) => {
      const place = `${candidate.path}:${candidate.startLine}-${candidate.endLine}`;
      // A leg counts once per chunk: two names defined in it are one find.
      if (seen.has(place)) return;
      seen.add(place);
      const entry = byPlace.get(place) ?? { candidate, score: 0, legs: [] };
      entry.score += (weights[leg] ?? 1) / (RRF_K + rank + 1);
      entry.legs.push(leg);
      byPlace.set(place, entry);
    });
  }
  const perFile = new Map<string, number>();
  const texts = new Set<string>();
  const kept: Snippet[] = [];
  for (const { candidate, score, legs } of [...byPlace.values()].sort((a, b) => b.score - a.score)) {
    const { path, text } = candidate;
    const inFile = perFile.get(path) ?? 0;
    const normalized = text.trim();
    if (inFile >= maxPerFile || !normalized || texts.has(normalized) || mostlyVisible(text, visible))
      continue;
    perFile.set(path, inFile + 1);
    texts.add(normalized);
    kept.push({ ...candidate, score, legs });
    if (kept.length === limit) break;
  }
  return kept;
}

function mostlyVisible(text: string, visible: ReadonlySet<string>): boolean {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.filter((line) => visible.has(line)).length > lines.length * MAX_VISIBLE_SHARE;
}
