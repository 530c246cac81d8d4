/**
 * Tokens in the order they were read, and for each place the last places with the same 1, 3 and 6 tokens before it, with
 * the same 6 where all names count as one, and with the same token before it in a line that begins alike: hash chains, as
 * in LZ77 compressors. A match is then lengthened backwards.
 *
 * Memory: {@link TOKEN_BYTES} a token (up to twice that after a doubling), 20 bytes × 2^headBits once, and the grammar's.
 */
import { ANY_NAME, Grammar, SHAPES } from "./grammar.ts";
import { FILE_END, UNKNOWN } from "./vocabulary.ts";

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

/** Of the arrays, for each token that there is room for: itself, and a link of each of five chains. */
export const TOKEN_BYTES = 24;

/** Arrays of so many tokens are copied in about a millisecond. */
const MOST_COPIED = 1 << 18;

/** More than any shape looks back. */
const LAST_SHAPES = 8;

/** Places looked at in lines that begin alike. */
const MAX_LINE_PLACES = 100;

/** More shapes than these share their counts, and take 2 MB. */
const MAX_GRAMMAR_BITS = 15;

export interface TokenStoreOptions {
  readonly headBits: number;
  readonly capacity?: number;
  /** Which tokens may stand for one another in a shape. */
  readonly isName?: (id: number) => boolean;
  readonly isLineBreak?: (id: number) => boolean;
}

export class TokenStore {
  #tokens: Int32Array;
  /** Per order, then for shapes, then for lines that begin alike: place + 1 of the previous place with the same hash; 0 ends the chain. */
  #previous: Int32Array[];
  readonly #heads: Int32Array[];
  readonly #shift: number;
  readonly #grammar: Grammar;
  readonly #isName: (id: number) => boolean;
  readonly #isLineBreak: (id: number) => boolean;
  /** Of the last tokens, each at its place's last bits: asked for ten times a token. */
  readonly #lastShapes = new Int32Array(LAST_SHAPES);
  #length = 0;
  /** Where the current file, the current line and the one before it begin. */
  #fileStart = 0;
  #lineStart = 0;
  #lineBefore = 0;

  constructor({
    headBits,
    capacity = 1 << 12,
    isName = () => false,
    isLineBreak = () => false,
  }: TokenStoreOptions) {
    const chains = Array.from({ length: CHAINS }, (_, chain) => chain);
    this.#tokens = new Int32Array(capacity);
    this.#previous = chains.map(() => new Int32Array(capacity));
    this.#heads = chains.map(() => new Int32Array(1 << headBits));
    this.#shift = 32 - headBits;
    this.#grammar = new Grammar(Math.min(MAX_GRAMMAR_BITS, headBits));
    this.#isName = isName;
    this.#isLineBreak = isLineBreak;
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
    this.#lineStart = this.#length;
    this.#lineBefore = this.#length;
  }

  push(id: number, spaced: boolean): void {
    if (this.#length === this.#tokens.length) this.#grow();
    const place = this.#length++;
    this.#tokens[place] = id * 2 + Number(spaced);
    this.#lastShapes[place % LAST_SHAPES] = this.#shapeOf(id);
    const room = place - this.#fileStart;
    for (let i = 0; i < ORDERS.length; i++) {
      const order = ORDERS[i] ?? 1;
      if (room >= order) this.#link(i, place, this.#hashBefore(place, order));
    }
    if (room >= SHAPE_ORDER) this.#link(SHAPE_CHAIN, place, this.#shapeBefore(place));
    if (id === FILE_END) return;
    this.#learnShapes(place, room, (this.#isName(id) ? ANY_NAME : id) * 2 + Number(spaced));
    if (room > 0) this.#link(LINE_CHAIN, place, this.#lineBeforePlace(place));
    if (!this.#isLineBreak(id)) return;
    this.#lineBefore = this.#lineStart;
    this.#lineStart = place + 1;
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
    const previous = this.#previous[SHAPE_CHAIN];
    let next = this.#heads[SHAPE_CHAIN]?.[hash >>> this.#shift] ?? 0;
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

  /**
   * Places, newest first, behind the same token in lines whose first two tokens are the same; where a line is to begin,
   * behind lines that begin alike.
   *
   * @param visit as in {@link matches}
   */
  inLineLike(context: readonly number[], visit: (place: number, matched: number) => boolean): void {
    const breaks: number[] = [];
    for (let i = context.length - 1; i >= 0 && breaks.length < 2; i--)
      if (this.#isLineBreak(context[i] ?? UNKNOWN)) breaks.push(i);
    const [start, before] = breaks;
    if (start === undefined || before === undefined) return;
    const isStart = start + 1 === context.length;
    const from = (isStart ? before : start) + 1;
    const hash = this.#hashOfLine(
      context[from] ?? UNKNOWN,
      from + 1 < context.length ? context[from + 1] : undefined,
      isStart ? LINE_START : (context.at(-1) ?? UNKNOWN),
    );
    const previous = this.#previous[LINE_CHAIN];
    let next = this.#heads[LINE_CHAIN]?.[hash] ?? 0;
    let found = 0;
    for (
      let step = 0;
      next > 0 && found < MAX_LINE_PLACES && step < MAX_LINE_PLACES * STEPS_PER_PLACE;
      step++
    ) {
      const place = next - 1;
      const matched = this.#matchedBefore(place, context);
      if (matched > 0 && visit(place, matched)) found++;
      next = previous?.[place] ?? 0;
    }
  }

  /** @param visit gets the place of the shape's length in {@link SHAPES}, a code and how often it followed, see {@link Grammar} */
  followingShape(
    context: readonly number[],
    visit: (level: number, code: number, count: number) => void,
  ): void {
    let hash = 0;
    let back = 1;
    for (let level = 0; level < SHAPES.length; level++) {
      const length = SHAPES[level] ?? 0;
      if (length > context.length) return;
      for (; back <= length; back++)
        hash = mix(hash, this.#shapeOf(context[context.length - back] ?? UNKNOWN));
      this.#grammar.following(hash, (code, count) => visit(level, code, count));
    }
  }

  /** The same loop once more: a function that is called for each token costs as much as all the rest of reading. */
  #learnShapes(place: number, room: number, code: number): void {
    let hash = 0;
    let back = 1;
    for (let level = 0; level < SHAPES.length; level++) {
      const length = SHAPES[level] ?? 0;
      if (length > room) return;
      for (; back <= length; back++) hash = mix(hash, this.#lastShapes[(place - back) % LAST_SHAPES] ?? 0);
      this.#grammar.learn(hash, code);
    }
  }

  /** Of the line that the place is in, or of the one before it where it begins a line. */
  #lineBeforePlace(place: number): number {
    const isStart = place === this.#lineStart;
    const from = isStart ? this.#lineBefore : this.#lineStart;
    const second = from + 1 < place ? this.id(from + 1) : undefined;
    return this.#hashOfLine(this.id(from), second, isStart ? LINE_START : this.id(place - 1));
  }

  /** @param second token of the line, if it has one before the place that is asked for, and `last` the one before that place */
  #hashOfLine(first: number, second: number | undefined, last: number): number {
    const start = mix(0, first);
    return mix(second === undefined ? start : mix(start, second), last) >>> this.#shift;
  }

  /** @returns how many tokens are the same at the same distance before the place and at the end of `context` */
  sameBefore(place: number, context: readonly number[]): number {
    const tokens = this.#tokens;
    const most = Math.min(context.length, place);
    let same = 0;
    for (let back = 1; back <= most; back++)
      if ((tokens[place - back] ?? 0) >> 1 === context[context.length - back]) same++;
    return same;
  }

  /**
   * @param numbers by token, from 1 to 31; 0 for those that do not count
   * @returns a bit for each number less one that stands within `window` tokens before the place
   */
  numbersBefore(place: number, window: number, numbers: Uint8Array): number {
    const tokens = this.#tokens;
    let found = 0;
    for (let at = Math.max(0, place - window); at < place; at++) {
      const number = numbers[(tokens[at] ?? 0) >> 1] ?? 0;
      if (number > 0) found |= 1 << (number - 1);
    }
    return found;
  }

  #shapeBefore(place: number): number {
    let hash = 0;
    for (let i = place - SHAPE_ORDER; i < place; i++)
      hash = mix(hash, this.#lastShapes[i % LAST_SHAPES] ?? 0);
    return hash >>> this.#shift;
  }

  #shapeOf(id: number): number {
    return id === UNKNOWN || this.#isName(id) ? NAME : id;
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

const SHAPE_CHAIN = ORDERS.length;
const LINE_CHAIN = SHAPE_CHAIN + 1;
const CHAINS = LINE_CHAIN + 1;

/** Stands for every name in a shape, and before the first token of a line. */
const NAME = -2;
const LINE_START = -3;

/** Multiplicative hashing (Knuth): the top bits are the good ones. */
const mix = (hash: number, id: number): number => Math.imul(hash ^ id, 0x9e3779b1) ^ (hash >>> 15);

function doubled(array: Int32Array): Int32Array {
  const twice = new Int32Array(array.length * 2);
  twice.set(array);
  return twice;
}
