/**
 * Tokens in the order they were read, and for each place the last places with the same 1, 3 and 6 tokens before it, and
 * with the same 6 where all names count as one: hash chains, as in LZ77 compressors. A match is then lengthened backwards.
 *
 * Memory: {@link TOKEN_BYTES} a token (up to twice that after a doubling), and 16 bytes × 2^headBits once.
 */
import { FILE_END } from "./vocabulary.ts";

/** The most tokens before a place that count (longer matches say no more: research measured 32 against 6, not beyond). */
export const MAX_MATCH = 32;

/** Long contexts first: what they find is the best evidence. */
const ORDERS = [6, 3, 1] as const;
/** Places looked at per order; more than some 400 brought nothing. */
const MAX_PLACES = [200, 120, 80] as const;
/** Hash collisions and dead places may be stepped over this often before the rest of a chain is left. */
const STEPS_PER_PLACE = 4;

/** Tokens whose shape is compared: shorter ones fit everywhere. */
const SHAPE_ORDER = 6;
const MAX_SHAPE_PLACES = 60;

/** Of the arrays, for each token that there is room for: itself, and a link of each of four chains. */
export const TOKEN_BYTES = 20;

/** Arrays of so many tokens are copied in about a millisecond. */
const MOST_COPIED = 1 << 18;

export interface TokenStoreOptions {
  readonly headBits: number;
  readonly capacity?: number;
  /** Which tokens may stand for one another in a shape. */
  readonly isName?: (id: number) => boolean;
}

export class TokenStore {
  #tokens: Int32Array;
  /** Per order, and last for shapes: place + 1 of the previous place with the same hash; 0 ends the chain. */
  #previous: Int32Array[];
  readonly #heads: Int32Array[];
  readonly #shift: number;
  readonly #isName: (id: number) => boolean;
  #length = 0;
  /** Where the current file begins. */
  #fileStart = 0;

  constructor({ headBits, capacity = 1 << 12, isName = () => false }: TokenStoreOptions) {
    const chains = [...ORDERS, SHAPE_ORDER];
    this.#tokens = new Int32Array(capacity);
    this.#previous = chains.map(() => new Int32Array(capacity));
    this.#heads = chains.map(() => new Int32Array(1 << headBits));
    this.#shift = 32 - headBits;
    this.#isName = isName;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether there is room for so many, or making it takes no time to speak of. */
  canGrowBy(tokens: number): boolean {
    return this.#tokens.length <= MOST_COPIED || this.#length + tokens <= this.#tokens.length;
  }

  /** No context reaches back over it. */
  endFile(): void {
    this.push(FILE_END, false);
    this.#fileStart = this.#length;
  }

  push(id: number, spaced: boolean): void {
    if (this.#length === this.#tokens.length) this.#grow();
    const place = this.#length++;
    this.#tokens[place] = id * 2 + Number(spaced);
    const room = place - this.#fileStart;
    for (let i = 0; i < ORDERS.length; i++) {
      const order = ORDERS[i] ?? 1;
      if (room >= order) this.#link(i, place, this.#hashBefore(place, order));
    }
    if (room >= SHAPE_ORDER) this.#link(ORDERS.length, place, this.#shapeBefore(place));
  }

  #link(chain: number, place: number, hash: number): void {
    const heads = this.#heads[chain];
    const previous = this.#previous[chain];
    if (!heads || !previous) return;
    previous[place] = heads[hash] ?? 0;
    heads[hash] = place + 1;
  }

  id(place: number): number {
    return (this.#tokens[place] ?? 0) >> 1;
  }

  spaced(place: number): boolean {
    return ((this.#tokens[place] ?? 0) & 1) === 1;
  }

  /**
   * Places whose preceding tokens end like `context`, longest orders first and newest first within one; a place comes once.
   *
   * @param context ids, the nearest last
   * @param visit gets the place of the token that followed there and how many tokens match; false when it does not count
   */
  matches(context: readonly number[], visit: (place: number, matched: number) => boolean): void {
    let seenFrom = MAX_MATCH + 1;
    for (let i = 0; i < ORDERS.length; i++) {
      const order = ORDERS[i] ?? 1;
      if (context.length < order) continue;
      const limit = MAX_PLACES[i] ?? 0;
      const previous = this.#previous[i];
      let next = this.#heads[i]?.[this.#hashOf(context, order)] ?? 0;
      let found = 0;
      for (let step = 0; next > 0 && found < limit && step < limit * STEPS_PER_PLACE; step++) {
        const place = next - 1;
        const matched = this.#matchedBefore(place, context);
        if (matched >= order && matched < seenFrom && visit(place, matched)) found++;
        next = previous?.[place] ?? 0;
      }
      // What has a longer match was on the longer chain, or too far down it to count.
      seenFrom = order;
    }
  }

  /**
   * Places, newest first, whose preceding tokens look like the end of `context` when names count as one. What they are
   * hashed by may be shared by others: look again.
   */
  shapedLike(context: readonly number[], visit: (place: number) => boolean): void {
    if (context.length < SHAPE_ORDER) return;
    let hash = 0;
    for (let i = context.length - SHAPE_ORDER; i < context.length; i++)
      hash = mix(hash, this.#shapeOf(context[i] ?? 0));
    const previous = this.#previous[ORDERS.length];
    let next = this.#heads[ORDERS.length]?.[hash >>> this.#shift] ?? 0;
    let found = 0;
    for (
      let step = 0;
      next > 0 && found < MAX_SHAPE_PLACES && step < MAX_SHAPE_PLACES * STEPS_PER_PLACE;
      step++
    ) {
      if (visit(next - 1)) found++;
      next = previous?.[next - 1] ?? 0;
    }
  }

  #shapeBefore(place: number): number {
    let hash = 0;
    for (let i = place - SHAPE_ORDER; i < place; i++) hash = mix(hash, this.#shapeOf(this.id(i)));
    return hash >>> this.#shift;
  }

  #shapeOf(id: number): number {
    return this.#isName(id) ? NAME : id;
  }

  #matchedBefore(place: number, context: readonly number[]): number {
    const most = Math.min(context.length, MAX_MATCH, place);
    let matched = 0;
    while (matched < most && this.id(place - 1 - matched) === context[context.length - 1 - matched])
      matched++;
    return matched;
  }

  #hashBefore(place: number, order: number): number {
    let hash = 0;
    for (let i = place - order; i < place; i++) hash = mix(hash, this.id(i));
    return hash >>> this.#shift;
  }

  #hashOf(context: readonly number[], order: number): number {
    let hash = 0;
    for (let i = context.length - order; i < context.length; i++) hash = mix(hash, context[i] ?? 0);
    return hash >>> this.#shift;
  }

  #grow(): void {
    this.#tokens = doubled(this.#tokens);
    this.#previous = this.#previous.map(doubled);
  }
}

/** Stands for every name in a shape. */
const NAME = -2;

/** Multiplicative hashing (Knuth): the top bits are the good ones. */
const mix = (hash: number, id: number): number => Math.imul(hash ^ id, 0x9e3779b1) ^ (hash >>> 15);

function doubled(array: Int32Array): Int32Array {
  const twice = new Int32Array(array.length * 2);
  twice.set(array);
  return twice;
}
