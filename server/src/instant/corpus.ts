/** All that the instant tier knows of the repository: tokens of its files, the words in them, and which define something. */
import { posix } from "node:path";
import { isWholeWord, lex } from "./lexer.ts";
import { TokenStore } from "./token-store.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Heads for a quarter of the tokens keep chains short; they take 20 bytes each, 20 MB at most. */
const MIN_HEAD_BITS = 14;
const MAX_HEAD_BITS = 20;
const headBitsFor = (capacity: number): number =>
  Math.min(MAX_HEAD_BITS, Math.max(MIN_HEAD_BITS, Math.ceil(Math.log2(capacity)) - 2));

/** More tokens for each head make chains so long that what counts is not reached. */
const MOST_PER_HEAD = 16;

/** Characters read at once: about a millisecond of work. */
const PIECE = 4 * 1024;

export interface CorpusFile {
  readonly path: string;
  readonly text: string;
  /** Names defined in it. */
  readonly symbols: readonly string[];
}

/** Where a file's tokens lie. */
export interface Segment {
  readonly path: string;
  readonly directory: string;
  readonly start: number;
  /** After the last token. */
  end: number;
  readonly symbols: readonly number[];
  /** Read to its end, and neither gone nor replaced. */
  live: boolean;
}

export class Corpus {
  readonly vocabulary = new Vocabulary();
  readonly tokens: TokenStore;
  /** In the order of their tokens, dead ones included. */
  readonly #segments: Segment[] = [];
  readonly #byPath = new Map<string, Segment>();
  /** By word: how often it stands in live files, and how many live files define it. */
  #uses: Int32Array = new Int32Array(1 << 12);
  #definitions: Int32Array = new Int32Array(1 << 12);
  #liveTokens = 0;
  readonly #headBits: number;

  /** @param capacity tokens to expect: room for more is made by copying all */
  constructor({ capacity = 1 << 12, headBits = headBitsFor(capacity) } = {}) {
    const { vocabulary } = this;
    this.tokens = new TokenStore({
      ...{ headBits, capacity },
      isName: (id) => vocabulary.isName(id),
      isLineBreak: (id) => vocabulary.isLineBreak(id),
    });
    this.#headBits = headBits;
  }

  get liveTokens(): number {
    return this.#liveTokens;
  }

  get deadTokens(): number {
    return this.tokens.length - this.#liveTokens;
  }

  /** Made for far less than it holds by now: one that is made anew answers better. */
  get isOutgrown(): boolean {
    return this.#headBits < MAX_HEAD_BITS && this.tokens.length > MOST_PER_HEAD * 2 ** this.#headBits;
  }

  get files(): number {
    return this.#byPath.size;
  }

  /** A file that is there already is replaced. */
  add(file: CorpusFile): void {
    for (const _ of this.addInSteps(file));
  }

  /** The same, with a chance for others every few milliseconds. No other file may be added in between. */
  *addInSteps({ path, text, symbols }: CorpusFile): Generator<void, void, void> {
    const segment: Segment = {
      path,
      directory: posix.dirname(path),
      start: this.tokens.length,
      end: this.tokens.length,
      symbols: symbols.filter(isWholeWord).map((name) => this.vocabulary.add(name)),
      live: false,
    };
    this.#segments.push(segment);
    let indent = "";
    for (const piece of pieces(text)) {
      indent = lex(piece, (token, spaced) => this.tokens.push(this.vocabulary.add(token), spaced), indent);
      yield;
    }
    segment.end = this.tokens.length;
    this.tokens.endFile();
    this.remove(path);
    segment.live = true;
    this.#byPath.set(path, segment);
    this.#count(segment, 1);
  }

  remove(path: string): void {
    const segment = this.#byPath.get(path);
    if (!segment) return;
    segment.live = false;
    this.#byPath.delete(path);
    this.#count(segment, -1);
  }

  segmentAt(place: number): Segment | undefined {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#segments[middle]?.start ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return this.#segments[low];
  }

  uses(id: number): number {
    return this.#uses[id] ?? 0;
  }

  definitions(id: number): number {
    return this.#definitions[id] ?? 0;
  }

  #count(segment: Segment, by: 1 | -1): void {
    const words = this.vocabulary.size;
    this.#uses = roomFor(this.#uses, words);
    this.#definitions = roomFor(this.#definitions, words);
    for (let place = segment.start; place < segment.end; place++) bump(this.#uses, this.tokens.id(place), by);
    for (const id of segment.symbols) bump(this.#definitions, id, by);
    this.#liveTokens += by * (segment.end - segment.start + 1);
  }
}

/** Parts that are split as the whole would be: each but the first starts with a line break, after a character. */
function* pieces(text: string): Generator<string, void, void> {
  let start = 0;
  while (text.length - start > PIECE) {
    const found = text.slice(start + PIECE, start + 2 * PIECE).search(/(?<=\S)\n/);
    const end = found < 0 ? start + 2 * PIECE : start + PIECE + found;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

function bump(counts: Int32Array, id: number, by: number): void {
  counts[id] = (counts[id] ?? 0) + by;
}

function roomFor(counts: Int32Array, size: number): Int32Array {
  if (size <= counts.length) return counts;
  const grown = new Int32Array(Math.max(size, counts.length * 2));
  grown.set(counts);
  return grown;
}
