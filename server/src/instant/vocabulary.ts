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

export class Vocabulary {
  readonly #ids = Array.from({ length: PARTS }, () => new Map<string, number>());
  readonly #texts: string[] = ["", "\n", ""];
  readonly #breaks: boolean[] = [false, true, false];
  /** By token: whether it is a name or a number, which others may stand for. */
  readonly #names: boolean[] = [false, false, false];
  /** First {@link MIN_TYPED} characters → words. */
  readonly #byStart = new Map<string, number[]>();

  get size(): number {
    return this.#texts.length;
  }

  add(text: string): number {
    const known = this.#part(text)?.get(text);
    if (known !== undefined) return known;
    if (looksLikeSecret(text)) return SECRET;
    const id = this.#texts.length;
    // A slice would keep its whole file's text alive.
    const own = ` ${text}`.slice(1);
    this.#part(own)?.set(own, id);
    this.#texts.push(own);
    this.#breaks.push(isLineBreak(own));
    this.#names.push((isWord(own) && !KEYWORDS.has(own)) || isNumber(own));
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

  text(id: number): string {
    return this.#texts[id] ?? "";
  }

  isLineBreak(id: number): boolean {
    return this.#breaks[id] ?? false;
  }

  /** A member's name stands behind it. */
  isDot(id: number): boolean {
    return DOTS.has(this.text(id));
  }

  isName(id: number): boolean {
    return this.#names[id] ?? false;
  }

  /** @returns words longer than `typed` that start with it; none when it is shorter than {@link MIN_TYPED} */
  startingWith(typed: string): number[] {
    const words = this.#byStart.get(typed.slice(0, MIN_TYPED)) ?? [];
    return typed.length < MIN_TYPED
      ? []
      : words.filter((id) => this.text(id).startsWith(typed) && this.text(id).length > typed.length);
  }
}
