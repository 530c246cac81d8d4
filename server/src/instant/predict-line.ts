/** Continues the current line as far as it can be trusted, or says nothing. */
import { posix } from "node:path";
import { type Calibration, calibrated } from "./calibration.ts";
import type { Corpus, Segment } from "./corpus.ts";
import { type BaseShare, type Candidate, candidatesFor, type EvidenceSource } from "./evidence.ts";
import type { Guessed, Surroundings } from "./features.ts";
import { type InScope, inScope } from "./in-scope.ts";
import { type KindSource, type Kinds, kindsAfter } from "./kinds.ts";
import { isWholeWord, isWord, lex } from "./lexer.ts";
import { NamesAround } from "./likeness.ts";
import { namesAtHand, usesOf } from "./name-uses.ts";
import { nameShares } from "./names.ts";
import type { OpenFile } from "./open-file.ts";
import { best, MOST_RANKED, mostPromising, type RankerWeights } from "./ranker.ts";
import { CALIBRATION, COMPLETES_WORD, NEXT } from "./ranker-weights.ts";
import { isVisible } from "./suggestion.ts";
import { NO_SYMBOLS, type Symbols } from "./symbols.ts";
import { MAX_MATCH } from "./token-store.ts";
import { LINE_END, SECRET, UNKNOWN, type Vocabulary } from "./vocabulary.ts";

export interface LineQuestion {
  readonly corpus: Corpus;
  readonly open: OpenFile;
  /** Of the open file. Its indexed copy is no evidence: the open text replaces it. */
  readonly path: string;
  /** Default: none is known. */
  readonly symbols?: Symbols;
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
 * @param threshold what is said is at least this sure
 * @returns the start of the rest of the line; empty text when nothing can be trusted
 */
export const predictLine = (
  question: LineQuestion,
  { threshold, maxTokens }: { readonly threshold: number; readonly maxTokens: number },
): PredictedLine => startWorthSaying(greedyTokens(question), { threshold, maxTokens });

/** How much less sure a longer start may be than the shortest that is shown: a wrong word spoils the right one before it. */
const MOST_LOST = 0.07;

/** @param tokens of one line, each with how sure all up to it are; none is read in vain */
export function startWorthSaying(
  tokens: Iterable<GreedyToken>,
  { threshold, maxTokens }: { readonly threshold: number; readonly maxTokens: number },
): PredictedLine {
  let line: PredictedLine = { text: "", confidence: 1, tokens: 0, cut: false };
  let least = threshold;
  for (const { added, confidence } of tokens) {
    if (confidence < least) break;
    if (added !== "" && line.tokens === maxTokens) return { ...line, cut: true };
    const text = line.text + added;
    line = { text, confidence, tokens: line.tokens + (added === "" ? 0 : 1), cut: false };
    if (isVisible(text)) least = Math.max(least, (1 - MOST_LOST) * confidence);
  }
  return line;
}

export interface GreedyToken {
  /** What it adds right of the cursor; empty when it says that the typed word is complete. */
  readonly added: string;
  /** That it is right, and all before it are; never grows along a line. */
  readonly confidence: number;
}

/** The product's own. */
export const RANKERS: Rankers = { next: NEXT, completesWord: COMPLETES_WORD, calibration: CALIBRATION };

export interface Rankers {
  readonly next: RankerWeights;
  readonly completesWord: RankerWeights;
  readonly calibration: Calibration;
}

/** The most likely token after the cursor, then the one after that, … up to the end of the line; endless in theory. */
export function* greedyTokens(
  question: LineQuestion,
  rankers: Rankers = RANKERS,
): Generator<GreedyToken, void, void> {
  const { vocabulary } = question.corpus;
  const line = new LineSoFar(question);
  let sure = 1;
  for (;;) {
    const { typed, spaceTyped } = line;
    const { candidates, around } = line.whatNext();
    const found = best(candidates, around, typed === undefined ? rankers.next : rankers.completesWord);
    if (!found || found.candidate.id === LINE_END || found.candidate.id === SECRET) return;
    const text = vocabulary.text(found.candidate.id);
    const space = found.candidate.spaced && !spaceTyped && typed === undefined ? " " : "";
    const tokens = line.guessed.tokens + 1;
    const confidence = line.guessed.confidence * found.confidence;
    sure = Math.min(sure, calibrated(confidence, tokens, rankers.calibration));
    yield { added: space + text.slice(typed?.length ?? 0), confidence: sure };
    line.push(found.candidate.id, { spaced: found.candidate.spaced });
    line.guessed = { tokens, confidence };
  }
}

/** The cursor's line as it grows, with what stands before and below it. */
export class LineSoFar {
  /** The word that ends at the cursor and may go on. */
  typed: string | undefined;
  /** The space before the next token is there already. */
  spaceTyped: boolean;
  guessed: Guessed = { tokens: 0, confidence: 1 };
  readonly #question: LineQuestion;
  readonly #sources: readonly EvidenceSource[];
  readonly #context: number[];
  readonly #line: number[];
  readonly #lastUse: Map<number, number>;
  /** By whether it is a member that is asked for. */
  readonly #atHand = new Map<boolean, ReadonlyMap<number, number>>();
  readonly #kindSources: readonly KindSource[];
  readonly #symbols: Symbols;
  readonly #inScope: ReadonlyMap<number, InScope>;
  /** The line up to where the next token begins. */
  #left: string;

  constructor(question: LineQuestion) {
    this.#question = question;
    this.#symbols = question.symbols ?? NO_SYMBOLS;
    this.#inScope = inScope(question.open, question.corpus.vocabulary);
    this.#sources = evidence(question);
    const { context, line, typed, spaceTyped } = beforeCursor(question);
    this.#context = context;
    this.#line = line;
    this.typed = typed;
    this.spaceTyped = spaceTyped;
    const { tail } = question.open;
    this.#left = tail.slice(tail.lastIndexOf("\n") + 1, tail.length - (typed?.length ?? 0));
    this.#lastUse = lastUses(question.open, context);
    this.#kindSources = this.#sources.map(({ tokens, isOpen }) => ({
      tokens,
      weight: isOpen ? OPEN_FILE : ELSEWHERE,
    }));
  }

  whatNext(): { readonly candidates: Candidate[]; readonly around: Surroundings } {
    const { corpus, open } = this.#question;
    const { typed, spaceTyped } = this;
    const { vocabulary } = corpus;
    const kinds = kindsAfter(this.#kindSources, this.#context, vocabulary);
    const members = this.#members(typed ?? "");
    const call = this.#symbols.callAround(this.#left);
    const all = candidatesFor({
      ...{ sources: this.#sources, vocabulary, context: this.#context, below: open.below },
      namesAround: new NamesAround(vocabulary.size, namesBack(this.#context, open, vocabulary)),
      mostOfBase: MOST_RANKED,
      base:
        typed === undefined
          ? this.#base(kinds, members)
          : basedOn(withMembers(nameShares(corpus, open, typed), members)),
      ...(typed !== undefined && { accepts: (id: number) => vocabulary.text(id).startsWith(typed) }),
      ...(spaceTyped && { accepts: (_: number, spaced: boolean) => spaced }),
    });
    return {
      candidates: mostPromising(all),
      around: {
        ...{ vocabulary, lastUse: this.#lastUse, line: this.#line, guessed: this.guessed },
        ...{ kinds, names: open.names, usesInRepository: (id: number) => corpus.uses(id) },
        ...{ members, call, inScope: this.#inScope, definitions: (id: number) => corpus.definitions(id) },
        typedLength: typed?.length ?? 0,
      },
    };
  }

  /** What is likely by the kinds of the tokens before alone: of names, those at hand. */
  #base(kinds: Kinds, members: ReadonlyMap<number, number>): Map<number, BaseShare> {
    const { corpus, open } = this.#question;
    const isMember = corpus.vocabulary.isDot(this.#context.at(-1) ?? UNKNOWN);
    const atHand = this.#atHand.get(isMember) ?? namesAtHand(open.names, this.#lastUse, isMember);
    this.#atHand.set(isMember, atHand);
    const names = withMembers(atHand, members);
    const base = new Map<number, BaseShare>();
    for (const { id, spaced, share } of kinds.others) {
      const other = base.get(id) ?? { spaced, share: 0 };
      base.set(id, { spaced: share > other.share ? spaced : other.spaced, share: share + other.share });
    }
    for (const [id, share] of names) base.set(id, { spaced: kinds.nameIsSpaced, share: kinds.name * share });
    if (this.spaceTyped) for (const [id, { spaced }] of base) if (!spaced) base.delete(id);
    return base;
  }

  /** @returns members that go on from `typed` → share; empty where none are known, which says nothing */
  #members(typed: string): ReadonlyMap<number, number> {
    const { corpus, open } = this.#question;
    const { vocabulary } = corpus;
    const weights = new Map<number, number>();
    let total = 0;
    for (const name of this.#symbols.membersAfter(this.#left)) {
      if (!name.startsWith(typed) || !isWholeWord(name)) continue;
      const id = vocabulary.add(name);
      if (id === SECRET) continue;
      const weight = 1 + Math.log1p(corpus.uses(id)) + 2 * Math.log1p(usesOf(open.names, id)?.asMember ?? 0);
      if (!weights.has(id)) total += weight;
      weights.set(id, weight);
    }
    return new Map(Array.from(weights, ([id, weight]) => [id, weight / total]));
  }

  /** @param text for a token that is in nobody's vocabulary */
  push(
    id: number,
    {
      spaced = false,
      text = this.#question.corpus.vocabulary.text(id),
    }: { readonly spaced?: boolean; readonly text?: string } = {},
  ): void {
    this.#left += spaced && !this.#left.endsWith(" ") ? ` ${text}` : text;
    this.typed = undefined;
    this.spaceTyped = false;
    this.#context.push(id);
    this.#line.push(id);
    this.#lastUse.set(id, 0);
    if (this.#context.length > MAX_MATCH) this.#context.shift();
  }
}

function evidence({ corpus, open: { above, below }, path }: LineQuestion): EvidenceSource[] {
  const directory = posix.dirname(path);
  const weigh = () => OPEN_FILE;
  /** Places of one file come one after another. */
  let segment: Segment | undefined;
  return [
    { tokens: above, isOpen: true, isAbove: true, weigh },
    { tokens: below, isOpen: true, weigh },
    {
      tokens: corpus.tokens,
      isOpen: false,
      weigh(place) {
        if (!segment || place < segment.start || place > segment.end) segment = corpus.segmentAt(place);
        if (!segment?.live || segment.path === path) return 0;
        return segment.directory === directory ? SAME_DIRECTORY : ELSEWHERE;
      },
    },
  ];
}

/** Of a base, where it is known what there can be. */
const MEMBERS_SHARE = 0.6;

function withMembers(
  shares: ReadonlyMap<number, number>,
  members: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  if (members.size === 0) return shares;
  const mixed = new Map<number, number>();
  for (const [id, share] of shares) mixed.set(id, (1 - MEMBERS_SHARE) * share);
  for (const [id, share] of members) mixed.set(id, (mixed.get(id) ?? 0) + MEMBERS_SHARE * share);
  return mixed;
}

const basedOn = (shares: ReadonlyMap<number, number>): Map<number, BaseShare> =>
  new Map(Array.from(shares, ([id, share]) => [id, { spaced: false, share }]));

/** Tokens above the context that names are still taken from. */
const AROUND = 60;

/** Names before the cursor, the nearest first; they may come again. */
function* namesBack(
  context: readonly number[],
  { above }: OpenFile,
  vocabulary: Vocabulary,
): Generator<number, void, void> {
  for (let i = context.length - 1; i >= 0; i--) {
    const id = context[i] ?? UNKNOWN;
    if (vocabulary.isName(id)) yield id;
  }
  for (let place = above.length - 1; place >= Math.max(0, above.length - AROUND); place--)
    if (vocabulary.isName(above.id(place))) yield above.id(place);
}

/** So far back a use says that a name is at hand. */
const RECENT = 1_000;

function lastUses({ above }: OpenFile, context: readonly number[]): Map<number, number> {
  const uses = new Map<number, number>();
  for (let place = Math.max(0, above.length - RECENT); place < above.length; place++)
    uses.set(above.id(place), above.length - place);
  context.forEach((id, i) => {
    uses.set(id, context.length - i);
  });
  return uses;
}

interface BeforeCursor {
  /** Ids, the nearest last, without a word that may not be complete. */
  readonly context: number[];
  /** Those of the cursor's line. */
  readonly line: number[];
  /** The word that ends at the cursor. */
  readonly typed: string | undefined;
  /** The space before the next token is there already. */
  readonly spaceTyped: boolean;
}

function beforeCursor({ corpus: { vocabulary }, open: { above, tail, indent } }: LineQuestion): BeforeCursor {
  const context: number[] = [];
  for (let place = Math.max(0, above.length - MAX_MATCH); place < above.length; place++)
    context.push(above.id(place));
  let last = "";
  let lineStart = context.length;
  lex(
    tail,
    (token) => {
      last = token;
      context.push(vocabulary.find(token));
      if (token.includes("\n")) lineStart = context.length;
    },
    indent,
  );
  const spaceTyped = last === " ";
  const typed = isWord(last) ? last : undefined;
  if (spaceTyped || typed !== undefined) context.pop();
  return { context: context.slice(-MAX_MATCH), line: context.slice(lineStart), spaceTyped, typed };
}
