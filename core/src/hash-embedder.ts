/**
 * Vectors without a model: signed feature hashing (Weinberger et al. 2009, arXiv 0902.2206) of the terms a text holds.
 * Texts that share rare identifiers and sub-words come out close; nothing about meaning is known.
 */
import type { Embedder } from "./embedder.ts";
import { COMMON_WORDS, termsOf } from "./identifiers.ts";

const DIMENSIONS = 768;

/** Answers at once and never fails. */
export function createHashEmbedder(): Embedder {
  return {
    id: "hash:1",
    isInstant: true,
    // About 0.1 ms each, during which nothing else in the process runs.
    batchSize: 32,
    async embedDocuments(texts, signal) {
      signal.throwIfAborted();
      return texts.map((text) => hashVector(termsOf(text)));
    },
    async embedQuery(text, signal) {
      signal.throwIfAborted();
      return hashVector(termsOf(text));
    },
  };
}

/**
 * @param terms of the text, see `termsOf`
 * @returns a unit vector, also for a text without any term, since a direction is what cosine needs
 */
export function hashVector(terms: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);

  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const [term, count] of counts) {
    const hash = hash32(term);
    const slot = (hash >>> 1) % DIMENSIONS;
    // The sign makes the expected error of two terms in one slot zero.
    const sign = hash & 1 ? 1 : -1;
    vector[slot] = (vector[slot] ?? 0) + sign * (1 + Math.log(count)) * rarity(term);
  }
  let squares = 0;
  for (const x of vector) squares += x * x;
  if (squares === 0) {
    vector[0] = 1;
    return vector;
  }
  const norm = Math.sqrt(squares);
  for (let slot = 0; slot < DIMENSIONS; slot++) vector[slot] = (vector[slot] ?? 0) / norm;
  return vector;
}

/**
 * Stands in for the inverse document frequency. The real one would change with every file of the repository, and with
 * it every vector; this depends on the term alone, so a text's vector never changes. Short terms and words that most
 * files of any language hold say little about what a chunk is for.
 */
function rarity(term: string): number {
  if (COMMON_WORDS.has(term)) return 0.1;
  if (!ASCII_LETTER.test(term) && /^\p{N}+$/u.test(term)) return 0.2;
  return Math.min(1, 0.15 + term.length / 8);
}

/** At the start: such a term is no number, and the question is cheap. */
const ASCII_LETTER = /^[a-z_$]/;

/** FNV-1a over UTF-16 units, then murmur3's finalizer, without which FNV's low bits are poor. */
function hash32(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
