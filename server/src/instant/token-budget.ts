/** One bound on the tokens that several instant indexes hold together: what one does not need the others may have. */

/** 33 MB of code has about so many; they take 250 MB. */
export const MAX_TOKENS = 10_000_000;

/**
 * @param wanted tokens that an index would hold if it could
 * @returns how many it may hold now; less or more once others have asked
 */
export type TokenShare = (wanted: number) => number;

/** @returns what gives each index its share; all are to be made before the first asks */
export function createTokenBudget(total: number): () => TokenShare {
  /** An index that has not asked yet may want everything. */
  const wants: number[] = [];
  return () => {
    const mine = wants.push(Number.POSITIVE_INFINITY) - 1;
    return (wanted) => {
      wants[mine] = wanted;
      return Math.floor(mostFor(wants, total));
    };
  };
}

/** Equal parts, and what is left of the parts of those who want less goes to the others. */
function mostFor(wants: readonly number[], total: number): number {
  let left = total;
  for (const [i, want] of [...wants].sort((a, b) => a - b).entries()) {
    const part = left / (wants.length - i);
    if (want >= part) return part;
    left -= want;
  }
  return total;
}
