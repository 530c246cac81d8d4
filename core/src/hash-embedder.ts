/**
 * Vectors without a model: signed feature hashing (Weinberger et al. 2009, arXiv 0902.2206) of the terms a text holds.
 * Texts that share rare identifiers and sub-words come out close; nothing about meaning is known.
 */
import type { Embedder } from "./embedder.ts";
import { termsOf } from "./identifiers.ts";

const DIMENSIONS = 768;

/** Answers at once and never fails. */
export function createHashEmbedder(): Embedder {
  return {
    id: "hash:1",
    // About 1 ms each, during which nothing else in the process runs.
    batchSize: 8,
    async embedDocuments(texts, signal) {
      signal.throwIfAborted();
      return texts.map(hashVector);
    },
    async embedQuery(text, signal) {
      signal.throwIfAborted();
      return hashVector(text);
    },
  };
}

/** @returns a unit vector, also for a text without any term, since a direction is what cosine needs */
function hashVector(text: string): number[] {
  const counts = new Map<string, number>();
  for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);

  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const [term, count] of counts) {
    const hash = hash32(term);
    const slot = (hash >>> 1) % DIMENSIONS;
    // The sign makes the expected error of two terms in one slot zero.
    const sign = hash & 1 ? 1 : -1;
    vector[slot] = (vector[slot] ?? 0) + sign * (1 + Math.log(count)) * rarity(term);
  }
  const norm = Math.hypot(...vector);
  if (norm === 0) return vector.map((_, i) => (i === 0 ? 1 : 0));
  return vector.map((x) => x / norm);
}

/**
 * Stands in for the inverse document frequency. The real one would change with every file of the repository, and with
 * it every vector; this depends on the term alone, so a text's vector never changes. Short terms and words that most
 * files of any language hold say little about what a chunk is for.
 */
function rarity(term: string): number {
  if (common.has(term)) return 0.1;
  if (/^\p{N}+$/u.test(term)) return 0.2;
  return Math.min(1, 0.15 + term.length / 8);
}

/** FNV-1a over UTF-16 units, then murmur3's finalizer, without which FNV's low bits are poor. */
function hash32(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Keywords and built-in types of the languages with a grammar, in the lower case that terms have, and words of any comment. */
const common: ReadonlySet<string> = new Set(
  `
  abstract any as assert async await bool boolean break byte case catch chan char class const continue crate debugger
  def default defer del delete do double dyn elif else enum except export extends extern false final finally float fn
  for from func function global go goto if impl implements import in instanceof int interface is lambda let long loop
  map match mod module move mut native never new nil none nonlocal not null number object of or package pass private
  protected pub public raise range readonly ref return self short static str string struct super switch synchronized
  this throw throws trait transient true try type typeof undefined union unknown unsafe use var void volatile where
  while with yield
  i32 i64 u8 u32 u64 usize int32 int64 err error ok
  a an and are be by can has have it its no on only should so that the then there these they to was when which will
  `
    .trim()
    .split(/\s+/),
);
