/** What may come next: the tokens that followed contexts like the one before the cursor, and what speaks for each. */
import { type NamesAround, weightOfLikeness } from "./likeness.ts";
import { renamedAt } from "./renamed.ts";
import { MAX_MATCH, type TokenStore } from "./token-store.ts";
import { FILE_END, LINE_END, UNKNOWN, type Vocabulary } from "./vocabulary.ts";

/** Tokens to learn from, and how much each place counts. */
export interface EvidenceSource {
  readonly tokens: TokenStore;
  /** Of the file at hand. */
  readonly isOpen: boolean;
  /** The cursor's line stands behind the end of `tokens`. */
  readonly isAbove?: boolean;
  /** @returns 0 for a place that does not count */
  weigh(place: number): number;
}

export interface EvidenceQuestion {
  readonly sources: readonly EvidenceSource[];
  readonly vocabulary: Vocabulary;
  /** Ids before the cursor, the nearest last. */
  readonly context: readonly number[];
  /** The tokens below the cursor's line, from its line break on. */
  readonly below: TokenStore;
  /** Which tokens can be meant at all; the rest is no evidence. Line breaks are asked for as {@link LINE_END}. */
  readonly accepts?: (id: number, spaced: boolean) => boolean;
  /** Tokens that are likely before any match is looked at; shares add up to 1 at most. */
  readonly base?: ReadonlyMap<number, BaseShare>;
  /** So many of them are candidates though no match speaks for them, the likeliest. */
  readonly mostOfBase?: number;
  readonly namesAround: NamesAround;
}

export interface BaseShare {
  readonly spaced: boolean;
  readonly share: number;
}

/** A token that may come next. */
export interface Candidate {
  readonly id: number;
  /** As where the longest match was. */
  spaced: boolean;
  /** Tokens of the longest match that says so; 0 when none does. */
  matched: number;
  /** The same for matches with other names, less what each other name costs. */
  renamed: number;
  /** Weight of all places that say so, and of those in the open file. */
  support: number;
  openSupport: number;
  /** Tokens from the nearest place above with the longest match to the cursor's line; 0 when there is none. */
  distance: number;
  /** How many tokens after the line of such a place are those below the cursor. */
  aligned: number;
  /** Interpolated probability among the candidates: from all places, from the open file, from the repository. */
  probability: number;
  openProbability: number;
  repositoryProbability: number;
  /** Of the base. */
  share: number;
  /** Most names around the cursor that stand before one place too, and most tokens that are the same. */
  namesAround: number;
  same: number;
  /** Share of places, each counted as much as it is like the cursor's: all matches, those of the open file, those in lines that begin alike. */
  likeness: number;
  openLikeness: number;
  lineLikeness: number;
}

/** Match lengths told apart; between two of them one more token says little. */
const LEVELS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, MAX_MATCH] as const;
const LEVEL_OF = Array.from({ length: MAX_MATCH + 1 }, (_, matched) =>
  LEVELS.findLastIndex((from) => from <= matched),
);
/** Shorter matches are too many to look behind each. */
const MIN_ALIGNED_MATCH = 2;
const MAX_ALIGNED_PLACES = 60;

/** With the weight of its matches by level, where it has any: of the names that fit what is typed, few do. */
interface Counted extends Candidate {
  open?: Float64Array;
  repository?: Float64Array;
}

type Likeness = "likeness" | "openLikeness" | "lineLikeness";

/** @returns in no order; empty when nothing like the context was seen and there is no base */
export function candidatesFor(question: EvidenceQuestion): Candidate[] {
  const { base = NO_BASE, mostOfBase = base.size } = question;
  const candidates = new Map<number, Counted>();
  const candidate = (id: number): Counted => {
    const known = candidates.get(id);
    if (known) return known;
    const added = emptyCandidate(id, base.get(id));
    candidates.set(id, added);
    return added;
  };
  for (const id of likeliest(base, mostOfBase)) candidate(id);
  for (const source of question.sources) {
    collectMatches(source, question, candidate);
    collectRenamed(source, question, candidate);
    collectFromLines(source, question, candidate);
  }
  const all = [...candidates.values()];
  for (const kind of ["likeness", "openLikeness", "lineLikeness"] as const) toShares(all, kind);
  interpolate(
    all,
    "probability",
    ({ open, repository }, level) => (open?.[level] ?? 0) + (repository?.[level] ?? 0),
  );
  interpolate(all, "openProbability", ({ open }, level) => open?.[level] ?? 0);
  interpolate(all, "repositoryProbability", ({ repository }, level) => repository?.[level] ?? 0);
  return all;
}

type CandidateOf = (id: number) => Counted;

function collectMatches(source: EvidenceSource, question: EvidenceQuestion, candidate: CandidateOf): void {
  const { tokens, isOpen } = source;
  let aligned = 0;
  tokens.matches(question.context, (place, matched) => {
    const id = acceptedAt(tokens, place, question);
    const weight = id === UNKNOWN ? 0 : source.weigh(place);
    if (weight === 0) return false;
    const found = candidate(id);
    const kind = isOpen ? "open" : "repository";
    found[kind] ??= new Float64Array(LEVELS.length);
    const levels = found[kind];
    const level = LEVEL_OF[matched] ?? 0;
    levels[level] = (levels[level] ?? 0) + weight;
    addLikeness(found, { source, place, matched }, question);
    found.support += weight;
    if (isOpen) found.openSupport += weight;
    if (matched > found.matched) {
      found.matched = matched;
      found.spaced = tokens.spaced(place);
      found.distance = source.isAbove ? tokens.length - place : 0;
    }
    if (matched >= MIN_ALIGNED_MATCH && aligned++ < MAX_ALIGNED_PLACES)
      found.aligned = Math.max(found.aligned, alignedAt(tokens, place, question));
    return true;
  });
}

function collectRenamed(source: EvidenceSource, question: EvidenceQuestion, candidate: CandidateOf): void {
  const { tokens } = source;
  const { vocabulary, context, accepts } = question;
  tokens.shapedLike(context, (place) => {
    const next = tokens.id(place);
    if (next === FILE_END || source.weigh(place) === 0) return false;
    const renamed = renamedAt(tokens, place, context, vocabulary);
    if (!renamed) return false;
    const id = vocabulary.isLineBreak(renamed.id) ? LINE_END : renamed.id;
    const spaced = tokens.spaced(place);
    if (id === UNKNOWN || (accepts && !accepts(id, spaced))) return false;
    const found = candidate(id);
    addLikeness(found, { source, place, matched: renamed.length }, question);
    if (renamed.length > found.renamed) {
      if (found.renamed === 0 && found.matched === 0) found.spaced = spaced;
      found.renamed = renamed.length;
      found.aligned = Math.max(found.aligned, alignedAt(tokens, place, question));
    }
    return true;
  });
}

/** What followed in lines that begin alike; how long the match is counts elsewhere. */
function collectFromLines(source: EvidenceSource, question: EvidenceQuestion, candidate: CandidateOf): void {
  const { tokens } = source;
  const { context, namesAround } = question;
  tokens.inLineLike(context, (place, matched) => {
    const id = acceptedAt(tokens, place, question);
    const weight = id === UNKNOWN ? 0 : source.weigh(place);
    if (weight === 0) return false;
    const found = candidate(id);
    if (found.matched === 0 && found.renamed === 0 && found.lineLikeness === 0)
      found.spaced = tokens.spaced(place);
    found.lineLikeness += weight * weightOfLikeness(matched, namesAround.countBefore(tokens, place));
    return true;
  });
}

/** @returns {@link UNKNOWN} where a file ends, and for what cannot be meant */
function acceptedAt(tokens: TokenStore, place: number, { vocabulary, accepts }: EvidenceQuestion): number {
  const next = tokens.id(place);
  if (next === FILE_END) return UNKNOWN;
  const id = vocabulary.isLineBreak(next) ? LINE_END : next;
  return !accepts || accepts(id, tokens.spaced(place)) ? id : UNKNOWN;
}

interface Match {
  readonly source: EvidenceSource;
  readonly place: number;
  readonly matched: number;
}

function addLikeness(
  found: Counted,
  { source, place, matched }: Match,
  { context, namesAround }: EvidenceQuestion,
): void {
  const names = namesAround.countBefore(source.tokens, place);
  const weight = weightOfLikeness(matched, names);
  found.namesAround = Math.max(found.namesAround, names);
  found.same = Math.max(found.same, source.tokens.sameBefore(place, context));
  found.likeness += source.weigh(place) * weight;
  if (source.isOpen) found.openLikeness += weight;
}

function toShares(candidates: readonly Counted[], kind: Likeness): void {
  let total = 0;
  for (const candidate of candidates) total += candidate[kind];
  if (total > 0) for (const candidate of candidates) candidate[kind] /= total;
}

/** How far a line is looked along for its end, and how many tokens of the next are compared. */
const MAX_LINE_REST = 40;
const MAX_ALIGNED = 8;

function alignedAt(tokens: TokenStore, place: number, { below, vocabulary }: EvidenceQuestion): number {
  if (below.length === 0) return 0;
  const most = Math.min(tokens.length, place + MAX_LINE_REST);
  for (let end = place; end < most; end++) {
    if (!vocabulary.isLineBreak(tokens.id(end))) continue;
    let same = 0;
    while (same < MAX_ALIGNED && same + 1 < below.length && tokens.id(end + 1 + same) === below.id(1 + same))
      same++;
    return same;
  }
  return 0;
}

const NO_BASE: ReadonlyMap<number, BaseShare> = new Map();

/** Without sorting all: a typed letter or two leave thousands. */
function likeliest(base: ReadonlyMap<number, BaseShare>, count: number): number[] {
  if (base.size <= count) return [...base.keys()];
  const top: { id: number; share: number }[] = [];
  for (const [id, { share }] of base) {
    if (top.length === count && share <= (top.at(-1)?.share ?? 0)) continue;
    const at = top.findIndex((other) => other.share < share);
    top.splice(at < 0 ? top.length : at, 0, { id, share });
    top.splice(count);
  }
  return top.map(({ id }) => id);
}

const emptyCandidate = (id: number, { spaced = false, share = 0 }: Partial<BaseShare> = {}): Counted => ({
  id,
  spaced,
  matched: 0,
  renamed: 0,
  support: 0,
  openSupport: 0,
  distance: 0,
  aligned: 0,
  probability: 0,
  openProbability: 0,
  repositoryProbability: 0,
  share,
  namesAround: 0,
  same: 0,
  likeness: 0,
  openLikeness: 0,
  lineLikeness: 0,
});

const NO_COUNTS = new Float64Array(LEVELS.length);

/**
 * Witten and Bell's estimate from short to long matches: the more different tokens followed a context, the more the
 * shorter context still has to say.
 */
function interpolate(
  candidates: readonly Counted[],
  into: "probability" | "openProbability" | "repositoryProbability",
  countAt: (candidate: Counted, level: number) => number,
): void {
  const counts = candidates.map(() => 0);
  const estimates = candidates.map(({ share }) => share);
  // A match of length n is also one of every shorter length: from long to short the counts add up.
  const sums = candidates.map((candidate) => {
    if (candidate.support === 0) return NO_COUNTS;
    const above = new Float64Array(LEVELS.length);
    for (let level = LEVELS.length - 1; level >= 0; level--)
      above[level] = (above[level + 1] ?? 0) + countAt(candidate, level);
    return above;
  });
  for (let level = 0; level < LEVELS.length; level++) {
    let total = 0;
    let kinds = 0;
    for (let i = 0; i < sums.length; i++) {
      const count = sums[i]?.[level] ?? 0;
      counts[i] = count;
      total += count;
      if (count > 0) kinds++;
    }
    if (total === 0) break;
    for (let i = 0; i < estimates.length; i++)
      estimates[i] = ((counts[i] ?? 0) + kinds * (estimates[i] ?? 0)) / (total + kinds);
  }
  candidates.forEach((candidate, i) => {
    candidate[into] = estimates[i] ?? 0;
  });
}
