/** What anyone could do instead: each is a known method in its plain form. */
import type { Corpus } from "@dhi/server/instant/corpus";
import { candidatesFor, type EvidenceSource } from "@dhi/server/instant/evidence";
import { lex } from "@dhi/server/instant/lexer";
import { NamesAround } from "@dhi/server/instant/likeness";
import { type OpenFile, OpenFileReader } from "@dhi/server/instant/open-file";
import { MAX_MATCH, type TokenStore } from "@dhi/server/instant/token-store";
import { FILE_END, LINE_END } from "@dhi/server/instant/vocabulary";
import { type Cursor, type Guess, type Guesser, LEAST_CONFIDENCE } from "./guesser.ts";

/** The rest of the line at the longest match, in the file at hand before others; as sure as the match is long. */
export const copyLongestMatch: Guesser = {
  name: "copy after the longest match",
  guess({ corpus }, at) {
    const { sources, context } = sceneAt(corpus, at);
    let best: { tokens: TokenStore; place: number; matched: number } | undefined;
    for (const { tokens, weigh } of sources)
      tokens.matches(context, (place, matched) => {
        if (weigh(place) === 0 || tokens.id(place) === FILE_END) return false;
        if (matched > (best?.matched ?? 0)) best = { tokens, place, matched };
        return true;
      });
    if (!best) return [];
    const { tokens, place, matched } = best;
    const guesses: Guess[] = [];
    for (let next = place; next < tokens.length && next < place + MOST_TOKENS; next++) {
      const id = tokens.id(next);
      if (id === FILE_END || corpus.vocabulary.isLineBreak(id)) break;
      const added = (tokens.spaced(next) ? " " : "") + corpus.vocabulary.text(id);
      guesses.push({ added, confidence: matched / (MAX_MATCH + 1) });
    }
    return guesses;
  },
};

/** Nested cache n-grams of up to six tokens (after Hellendoorn and Devanbu 2017). */
export const cacheNgram: Guesser = {
  name: "cache n-gram, order ≤ 6",
  guess({ corpus }, at) {
    const { sources, context, open } = sceneAt(corpus, at);
    const { vocabulary } = corpus;
    const guesses: Guess[] = [];
    let confidence = 1;
    while (guesses.length < MOST_TOKENS) {
      const candidates = candidatesFor({
        ...{ sources, vocabulary, below: open.below, context: context.slice(-ORDER) },
        namesAround: NOBODY,
      });
      let best = candidates[0];
      for (const candidate of candidates)
        if (candidate.probability > (best?.probability ?? 0)) best = candidate;
      confidence *= best?.probability ?? 0;
      if (!best || best.id === LINE_END || confidence < LEAST_CONFIDENCE) break;
      guesses.push({ added: (best.spaced ? " " : "") + vocabulary.text(best.id), confidence });
      context.push(best.id);
    }
    return guesses;
  },
};

const NOBODY = new NamesAround(0, []);
const ORDER = 6;
const MOST_TOKENS = 48;

/** The nearest word above that starts like the one being typed, as an editor without a language offers it. */
export function wordOfFile(prefix: string, typed: string): string | undefined {
  const words = prefix.slice(-WORDS_FROM).match(/[\w$\u0080-\uffff]+/g) ?? [];
  return words.findLast((word) => word.length > typed.length && word.startsWith(typed));
}

const WORDS_FROM = 64 * 1024;

interface Scene {
  readonly sources: readonly EvidenceSource[];
  readonly context: number[];
  readonly open: OpenFile;
}

function sceneAt(repository: Corpus, { indexedPath, prefix, suffix }: Cursor): Scene {
  const open = new OpenFileReader(repository.vocabulary).read(prefix, suffix);
  const context: number[] = [];
  for (let place = Math.max(0, open.above.length - MAX_MATCH); place < open.above.length; place++)
    context.push(open.above.id(place));
  lex(open.tail, (token) => context.push(repository.vocabulary.find(token)), open.indent);
  const weigh = () => 1;
  return {
    open,
    context,
    sources: [
      { tokens: open.above, isOpen: true, weigh },
      { tokens: open.below, isOpen: true, weigh },
      {
        ...{ tokens: repository.tokens, isOpen: false },
        weigh(place) {
          const segment = repository.segmentAt(place);
          return segment?.live && segment.path !== indexedPath ? 1 : 0;
        },
      },
    ],
  };
}
