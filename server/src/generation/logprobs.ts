/** The log-probabilities of a text's tokens, so that a part of it can be judged by its own. */

export interface Logprobs {
  /** @param end of the text with the piece that the tokens are of */
  add(end: number, ofTokens: readonly number[]): void;
  /** @returns the mean of the tokens with text between the two; `null` when none is known */
  mean(from: number, to: number): number | null;
}

export function createLogprobs(): Logprobs {
  // One entry a piece in each. Kept as long as the text, so they are plain numbers.
  const ends: number[] = [];
  const sums: number[] = [];
  const counts: number[] = [];
  return {
    add(end, ofTokens) {
      ends.push(end);
      sums.push(ofTokens.reduce((sum, logprob) => sum + logprob, 0));
      counts.push(ofTokens.length);
    },
    mean(from, to) {
      let sum = 0;
      let count = 0;
      for (const [i, end] of ends.entries()) {
        const start = ends[i - 1] ?? 0;
        if (end <= from || start >= to) continue;
        sum += sums[i] ?? 0;
        count += counts[i] ?? 0;
      }
      return count > 0 ? sum / count : null;
    },
  };
}
