/** How much the code before a place is about the same as the code before the cursor, beyond the tokens that match. */
import type { TokenStore } from "./token-store.ts";

/** As many as an integer has bits. */
const MOST_NAMES = 31;
/** Tokens before a place that are looked at: some five lines. */
const WINDOW = 48;

/** The names around the cursor. */
export class NamesAround {
  /** By word: its number among the names, from 1; 0 for the rest. */
  readonly #numbers: Uint8Array;

  /** @param names of tokens below `vocabularySize`, the nearest first; those that come again or are too many do not count */
  constructor(vocabularySize: number, names: Iterable<number>) {
    this.#numbers = new Uint8Array(vocabularySize);
    let count = 0;
    for (const id of names) {
      if (count === MOST_NAMES) break;
      if (id >= 0 && id < vocabularySize && this.#numbers[id] === 0) this.#numbers[id] = ++count;
    }
  }

  /** @returns how many of them stand shortly before the place */
  countBefore(tokens: TokenStore, place: number): number {
    let count = 0;
    for (let found = tokens.numbersBefore(place, WINDOW, this.#numbers); found !== 0; found &= found - 1)
      count++;
    return count;
  }
}

/** Longer matches are rare enough to count as this. */
const MOST_MATCHED = 12;

/**
 * How much more a place says than one that has nothing in common with the cursor's: five more tokens of a match are worth
 * six more names. Set by hand on development packages.
 */
export const weightOfLikeness = (matched: number, names: number): number =>
  Math.exp(0.6 * Math.min(matched, MOST_MATCHED) + 0.5 * names);
