/** Token text ↔ number, and the words that start with what is typed. */
import { KEYWORDS } from "./keywords.ts";
import { isLineBreak, isNumber, isWord } from "./lexer.ts";
import { looksLikeSecret } from "./secret-token.ts";

/** Stands between files; no token has it. */
export const FILE_END = 0;
/** What every line break counts as when it is predicted: a completion ends there, whatever follows. */
export const LINE_END = 1;
/** What looks like a key: it has a place, so that others keep theirs, but no text. */
export const SECRET = 2;
/** A token that was never seen, and so matches nothing. */
export const UNKNOWN = -1;

const DOTS: ReadonlySet<string> = new Set([".", "?.", "->", "::"]);

/** Shorter beginnings fit too many words to say anything. */
const MIN_TYPED = 2;

/** A map that is full is copied whole, in one go: of one for all words that took 14 ms at 10 million tokens. */
const PARTS = 128;

const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;

const BREAK = 1;
const NAME = 2;

export class Vocabulary {
  readonly #ids = Array.from({ length: PARTS }, () => new Map<string, number>());
  /** By token, in pages: one array of all words would be copied whole as it grows. */
  readonly #texts: string[][] = [["", "\n", ""]];
  #size = 3;
  /** By token: {@link BREAK}, {@link NAME}. */
  #flags = Uint8Array.of(0, BREAK, 0);
  /** First {@link MIN_TYPED} characters → words. */
  readonly #byStart = new Map<string, number[]>();

  get size(): number {
    return this.#size;
  }

  add(text: string): number {
    const known = this.#part(text)?.get(text);
    if (known !== undefined) return known;
    if (looksLikeSecret(text)) return SECRET;
    const id = this.#size++;
    // A slice would keep its whole file's text alive.
    const own = ` ${text}`.slice(1);
    this.#part(own)?.set(own, id);
    const page = this.#texts[id >> PAGE_BITS];
    if (page) page.push(own);
    else this.#texts.push([own]);
    this.#setFlags(id, own);
    if (own.length > MIN_TYPED && isWord(own)) {
      const start = own.slice(0, MIN_TYPED);
      const words = this.#byStart.get(start);
      if (words) words.push(id);
      else this.#byStart.set(start, [id]);
    }
    return id;
  }

  find(text: string): number {
    return this.#part(text)?.get(text) ?? UNKNOWN;
  }

  #part(text: string): Map<string, number> | undefined {
    const { length } = text;
    const mixed =
      text.charCodeAt(0) * 31 + text.charCodeAt(length >> 1) * 17 + text.charCodeAt(length - 1) * 7;
    return this.#ids[(mixed + length) % PARTS];
  }

  #setFlags(id: number, text: string): void {
    if (id >= this.#flags.length) {
      const grown = new Uint8Array(2 * this.#flags.length);
      grown.set(this.#flags);
      this.#flags = grown;
    }
    const isName = (isWord(text) && !KEYWORDS.has(text)) || isNumber(text);
    this.#flags[id] = (isLineBreak(text) ? BREAK : 0) | (isName ? NAME : 0);
  }

  text(id: number): string {
    return this.#texts[id >> PAGE_BITS]?.[id & (PAGE - 1)] ?? "";
  }

  isLineBreak(id: number): boolean {
    return ((this.#flags[id] ?? 0) & BREAK) !== 0;
  }

  /** A member's name stands behind it. */
  isDot(id: number): boolean {
    return DOTS.has(this.text(id));
  }

  /** Or a number: what others may stand for. */
  isName(id: number): boolean {
    return ((this.#flags[id] ?? 0) & NAME) !== 0;
  }

  /** @returns words longer than `typed` that start with it; none when it is shorter than {@link MIN_TYPED} */
  startingWith(typed: string): number[] {
    const words = this.#byStart.get(typed.slice(0, MIN_TYPED)) ?? [];
    return typed.length < MIN_TYPED
      ? []
      : words.filter((id) => this.text(id).startsWith(typed) && this.text(id).length > typed.length);
  }
}
