/** The most likely next token, from what followed the longest matches of the context. */
import { MAX_MATCH, type TokenStore } from "./token-store.ts";
import { FILE_END, LINE_END, type Vocabulary } from "./vocabulary.ts";

/** Tokens to learn from, and how much each place counts. */
export interface EvidenceSource {
  readonly tokens: TokenStore;
  /** @returns 0 for a place that does not count */
  weigh(place: number): number;
}

export interface NextToken {
  readonly id: number;
  readonly spaced: boolean;
  /** Interpolated probability among the accepted tokens. Not a confidence: see `confidence.ts`. */
  readonly probability: number;
  /** Tokens of the longest match that says so; 0 when only the base distribution does. */
  readonly matched: number;
  /** Weight of all places that say so. */
  readonly support: number;
}

export interface NextTokenQuestion {
  readonly sources: readonly EvidenceSource[];
  readonly vocabulary: Vocabulary;
  /** Ids before the cursor, the nearest last. */
  readonly context: readonly number[];
  /** Which tokens can be meant at all; the rest is no evidence. Line breaks are asked for as {@link LINE_END}. */
  readonly accepts?: (id: number, spaced: boolean) => boolean;
  /** What is likely before any match is looked at; shares add up to 1 at most. */
  readonly base?: ReadonlyMap<number, number>;
}

/** Match lengths told apart; between two of them one more token says little. */
const LEVELS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, MAX_MATCH] as const;
const LEVEL_OF = Array.from({ length: MAX_MATCH + 1 }, (_, matched) =>
  LEVELS.findLastIndex((from) => from <= matched),
);

/** One token that followed a match. */
interface Outcome {
  readonly byLevel: Float64Array;
  matched: number;
  spaced: boolean;
  support: number;
  probability: number;
}

/** @returns `undefined` when nothing like the context was seen and there is no base */
export function nextToken(question: NextTokenQuestion): NextToken | undefined {
  const outcomes = collect(question);
  for (const [id, share] of question.base ?? []) {
    const outcome = outcomes.get(id) ?? emptyOutcome();
    outcome.probability = share;
    outcomes.set(id, outcome);
  }
  interpolate([...outcomes.values()]);
  let best: NextToken | undefined;
  for (const [id, { probability, spaced, matched, support }] of outcomes)
    if (probability > (best?.probability ?? 0)) best = { id, spaced, probability, matched, support };
  return best;
}

function collect({ sources, vocabulary, context, accepts }: NextTokenQuestion): Map<number, Outcome> {
  const outcomes = new Map<number, Outcome>();
  for (const { tokens, weigh } of sources) {
    tokens.matches(context, (place, matched) => {
      const next = tokens.id(place);
      if (next === FILE_END) return false;
      const id = vocabulary.isLineBreak(next) ? LINE_END : next;
      const spaced = tokens.spaced(place);
      if (accepts && !accepts(id, spaced)) return false;
      const weight = weigh(place);
      if (weight === 0) return false;
      const outcome = outcomes.get(id) ?? emptyOutcome();
      const level = LEVEL_OF[matched] ?? 0;
      outcome.byLevel[level] = (outcome.byLevel[level] ?? 0) + weight;
      outcome.support += weight;
      if (matched > outcome.matched) {
        outcome.matched = matched;
        outcome.spaced = spaced;
      }
      outcomes.set(id, outcome);
      return true;
    });
  }
  return outcomes;
}

const emptyOutcome = (): Outcome => ({
  byLevel: new Float64Array(LEVELS.length),
  matched: 0,
  spaced: false,
  support: 0,
  probability: 0,
});

/**
 * Witten and Bell's estimate from short to long matches: the more different tokens followed a context, the more the
 * shorter context still has to say.
 */
function interpolate(outcomes: readonly Outcome[]): void {
  // A match of length n is also one of every shorter length.
  for (const { byLevel } of outcomes)
    for (let level = LEVELS.length - 2; level >= 0; level--)
      byLevel[level] = (byLevel[level] ?? 0) + (byLevel[level + 1] ?? 0);
  for (let level = 0; level < LEVELS.length; level++) {
    let total = 0;
    let kinds = 0;
    for (const { byLevel } of outcomes) {
      const count = byLevel[level] ?? 0;
      total += count;
      if (count > 0) kinds++;
    }
    if (total === 0) return;
    for (const outcome of outcomes)
      outcome.probability = ((outcome.byLevel[level] ?? 0) + kinds * outcome.probability) / (total + kinds);
  }
}
