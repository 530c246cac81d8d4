/**
 * How far a guess can be trusted: a logistic regression on what stands behind it, whose probabilities can be multiplied
 * along a line.
 *
 * Fitted on some 60,000 tokens at 18,000 cursors in files held out of three code bases (TypeScript, Go, Python), where
 * predicted and real accuracy agree within 6 points in every tenth. Lines that someone is writing are harder to predict
 * than those of finished files (a prototype replayed commits and was right 5 points less often), so the constants are
 * lowered by {@link CAUTION}.
 */
import type { NextToken } from "./next-token.ts";

const CAUTION = 0.3;
const NEXT = { constant: -2.86, logit: 0.6, matched: 0.46, support: 0.39, typed: 0 } as const;
const COMPLETES_WORD = { constant: -1.13, logit: 0.64, matched: -0.26, support: 0.32, typed: 0.32 } as const;

/**
 * @param typedLength characters of the word that are there already, for a token that completes one
 * @returns probability that the token is right, given that all before it are
 */
export function confidenceOf(
  { probability, matched, support }: Omit<NextToken, "id" | "spaced">,
  typedLength?: number,
): number {
  const weights = typedLength === undefined ? NEXT : COMPLETES_WORD;
  // Interpolation reaches 1 only with nothing against it, which is no proof.
  const p = Math.min(0.999, Math.max(0.001, probability));
  const score =
    weights.constant -
    CAUTION +
    weights.logit * Math.log(p / (1 - p)) +
    weights.matched * Math.log1p(matched) +
    weights.support * Math.log1p(support) +
    weights.typed * Math.log1p(typedLength ?? 0);
  return 1 / (1 + Math.exp(-score));
}
