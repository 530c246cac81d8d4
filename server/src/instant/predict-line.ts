/** Continues the current line as far as it can be trusted, or says nothing. */
import { posix } from "node:path";
import { confidenceOf } from "./confidence.ts";
import type { Corpus } from "./corpus.ts";
import { isWord, lex } from "./lexer.ts";
import { nameShares } from "./names.ts";
import { type EvidenceSource, type NextToken, nextToken } from "./next-token.ts";
import type { OpenFile } from "./open-file.ts";
import { MAX_MATCH } from "./token-store.ts";
import { LINE_END } from "./vocabulary.ts";

export interface LineQuestion {
  readonly corpus: Corpus;
  readonly open: OpenFile;
  /** Of the open file. Its indexed copy is no evidence: the open text replaces it. */
  readonly path: string;
}

export interface PredictedLine {
  readonly text: string;
  /** That all of `text` is right, 0 to 1. */
  readonly confidence: number;
  readonly tokens: number;
  /** Only `maxTokens` kept it from going on. */
  readonly cut: boolean;
}

/** Weights of evidence: the file at hand, its neighbours, the rest of the repository. */
const OPEN_FILE = 4;
const SAME_DIRECTORY = 2;
const ELSEWHERE = 1;

/**
 * @param threshold a token is added while the confidence of all together is at least this
 * @returns the start of the rest of the line; empty text when nothing can be trusted
 */
export function predictLine(
  question: LineQuestion,
  { threshold, maxTokens }: { readonly threshold: number; readonly maxTokens: number },
): PredictedLine {
  let text = "";
  let confidence = 1;
  let tokens = 0;
  for (const { added, next, typedLength } of greedyTokens(question)) {
    const together = confidence * confidenceOf(next, typedLength);
    if (together < threshold) break;
    if (added !== "" && tokens === maxTokens) return { text, confidence, tokens, cut: true };
    confidence = together;
    text += added;
    if (added !== "") tokens++;
  }
  return { text, confidence, tokens, cut: false };
}

export interface GreedyToken {
  readonly next: NextToken;
  /** What it adds right of the cursor; empty when it says that the typed word is complete. */
  readonly added: string;
  /** Set when the token completes a word: how many of its characters are there. */
  readonly typedLength?: number;
}

/** The most likely token after the cursor, then the one after that, … up to the end of the line; endless in theory. */
export function* greedyTokens({ corpus, open, path }: LineQuestion): Generator<GreedyToken, void, void> {
  const { vocabulary } = corpus;
  const sources = evidence(corpus, open, path);
  const { context, typed, spaceTyped } = beforeCursor(corpus, open);

  if (typed !== undefined) {
    const next = nextToken({
      sources,
      vocabulary,
      context,
      accepts: (id) => vocabulary.text(id).startsWith(typed),
      base: nameShares(corpus, open, typed),
    });
    if (!next) return;
    yield { next, added: vocabulary.text(next.id).slice(typed.length), typedLength: typed.length };
    context.push(next.id);
  }
  for (let first = typed === undefined; ; first = false) {
    const next = nextToken({
      sources,
      vocabulary,
      context,
      ...(first && spaceTyped && { accepts: (_: number, spaced: boolean) => spaced }),
    });
    if (!next || next.id === LINE_END) return;
    const space = next.spaced && !(first && spaceTyped) ? " " : "";
    yield { next, added: space + vocabulary.text(next.id) };
    context.push(next.id);
    if (context.length > MAX_MATCH) context.shift();
  }
}

function evidence(corpus: Corpus, { above, below }: OpenFile, path: string): EvidenceSource[] {
  const directory = posix.dirname(path);
  const open = () => OPEN_FILE;
  return [
    { tokens: above, weigh: open },
    { tokens: below, weigh: open },
    {
      tokens: corpus.tokens,
      weigh(place) {
        const segment = corpus.segmentAt(place);
        if (!segment?.live || segment.path === path) return 0;
        return segment.directory === directory ? SAME_DIRECTORY : ELSEWHERE;
      },
    },
  ];
}

interface BeforeCursor {
  /** Ids, the nearest last, without a word that may not be complete. */
  readonly context: number[];
  /** The word that ends at the cursor. */
  readonly typed?: string;
  /** The space before the next token is there already. */
  readonly spaceTyped: boolean;
}

function beforeCursor({ vocabulary }: Corpus, { above, tail, indent }: OpenFile): BeforeCursor {
  const context: number[] = [];
  for (let place = Math.max(0, above.length - MAX_MATCH); place < above.length; place++)
    context.push(above.id(place));
  let last = "";
  lex(
    tail,
    (token) => {
      last = token;
      context.push(vocabulary.find(token));
    },
    indent,
  );
  const spaceTyped = last === " ";
  const typed = isWord(last) ? last : undefined;
  if (spaceTyped || typed !== undefined) context.pop();
  return { context: context.slice(-MAX_MATCH), spaceTyped, ...(typed !== undefined && { typed }) };
}
