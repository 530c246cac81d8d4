/**
 * Which tokens follow tokens of which shape, where all names count as one: what is likely behind a name that nobody has
 * written before. Counts in a table of fixed size; what is rare there gives way to what is frequent (Misra and Gries 1982).
 */

/** Lengths of the shapes, in tokens. */
export const SHAPES = [1, 2, 4] as const;
/** The code of every name, when nothing stands before it. */
export const ANY_NAME = 0;

/** Different tokens remembered behind one shape. */
const SLOTS = 8;

/**
 * Counted things are codes: twice the token, or {@link ANY_NAME}, plus one with a space before it. Memory: 64 bytes ×
 * 2^bits, so that what is known of one shape is read at once.
 */
export class Grammar {
  /** A code and its count, again and again; the more frequent stand first, about. */
  readonly #counts: Int32Array;
  readonly #shift: number;

  constructor(bits: number) {
    this.#counts = new Int32Array((2 * SLOTS) << bits);
    this.#shift = 32 - bits;
  }

  /** @param shape hash of what stands before */
  learn(shape: number, code: number): void {
    const counts = this.#counts;
    const from = (shape >>> this.#shift) * 2 * SLOTS;
    const last = from + 2 * (SLOTS - 1);
    for (let slot = from; slot <= last; slot += 2) {
      const count = counts[slot + 1] ?? 0;
      if (count === 0) {
        counts[slot] = code;
        counts[slot + 1] = 1;
        return;
      }
      if (counts[slot] !== code) continue;
      const before = slot > from ? slot - 2 : slot;
      const countBefore = counts[before + 1] ?? 0;
      const isMore = count + 1 > countBefore;
      if (isMore) {
        counts[slot] = counts[before] ?? 0;
        counts[slot + 1] = countBefore;
      }
      counts[isMore ? before : slot] = code;
      counts[(isMore ? before : slot) + 1] = count + 1;
      return;
    }
    const count = counts[last + 1] ?? 0;
    if (count <= 1) counts[last] = code;
    counts[last + 1] = Math.max(1, count - 1);
  }

  /** @param visit gets what followed, and about how often */
  following(shape: number, visit: (code: number, count: number) => void): void {
    const from = (shape >>> this.#shift) * 2 * SLOTS;
    for (let slot = from; slot < from + 2 * SLOTS; slot += 2) {
      const count = this.#counts[slot + 1] ?? 0;
      if (count === 0) return;
      visit(this.#counts[slot] ?? 0, count);
    }
  }
}
