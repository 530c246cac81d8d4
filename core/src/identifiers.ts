/** Identifiers and their sub-words: what lexical search, the hash embedder and the definition leg agree on. */

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const SUB_WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu;

/** Every identifier of the text, in order, repeats included. */
export const identifiersOf = (text: string): string[] => text.match(IDENTIFIER) ?? [];

/** `parseHTTPResponse_v2` → `parse`, `http`, `response`, `v`, `2`. */
export const subWordsOf = (identifier: string): string[] =>
  (identifier.match(SUB_WORD) ?? []).map((w) => w.toLowerCase());

/** Most identifiers; finding that out takes a tenth of taking them apart. */
const ONE_WORD = /^[a-z]+$/;

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
    if (ONE_WORD.test(identifier)) continue;
    const words = subWordsOf(identifier);
    if (words.length > 1) terms.push(...words);
  }
  return terms;
}

/**
 * Lower case: keywords and built-in types of the languages with a grammar, and words of any comment. They stand in most
 * files, so they tell none apart. Part of what the hash embedder's vectors are made of: a change here changes its id.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  abstract any as assert async await bool boolean break byte case catch chan char class const constructor continue crate
  debugger def default defer del delete do double dyn elif else enum except export extends extern false final finally
  float fn for from func function global go goto if impl implements import in instanceof int interface is lambda let long
  loop map match mod module move mut native never new nil none nonlocal not null number object of or package pass private
  protected pub public raise range readonly ref return self short static str string struct super switch synchronized
  this throw throws trait transient true try type typeof undefined union unknown unsafe use using val var void volatile
  where while with yield
  i32 i64 u8 u32 u64 usize int32 int64 err error ok
  a an and are be by can has have it its no on only should so that the then there these they to was when which will
  `
    .trim()
    .split(/\s+/),
);
