/** Identifiers and their sub-words: what lexical search, the hash embedder and the definition leg agree on. */

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const SUB_WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu;

/** Every identifier of the text, in order, repeats included. */
export const identifiersOf = (text: string): string[] => text.match(IDENTIFIER) ?? [];

/** `parseHTTPResponse_v2` → `parse`, `http`, `response`, `v`, `2`. */
export const subWordsOf = (identifier: string): string[] =>
  (identifier.match(SUB_WORD) ?? []).map((w) => w.toLowerCase());

/**
 * The terms a text is found by: each identifier in lower case and, when it has several, its sub-words. Repeats are kept,
 * BM25 counts them.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const identifier of text.match(/[\p{L}\p{N}_$]+/gu) ?? []) {
    const whole = identifier.toLowerCase();
    if (whole.length > 128) continue;
    terms.push(whole);
    const words = subWordsOf(identifier);
    if (words.length > 1) terms.push(...words);
  }
  return terms;
}
