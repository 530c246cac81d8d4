/**
 * Chooses what of the snippets the prompt shows: budgeted maximum coverage of what the completion may need, by value per
 * token. What is visible or chosen already adds nothing.
 */
import type { Snippet } from "../retrieval/snippet.ts";
import { byLine, namesOf, type Piece, piecesOf, textOf } from "./pieces.ts";
import { besideNear, relevanceOf, worthOfHead, worthOfName } from "./worth.ts";

/** What is shown of one file, under one header. */
export interface Block {
  readonly path: string;
  /** In line order. */
  readonly pieces: readonly Piece[];
  readonly text: string;
  /** With its header. */
  readonly tokens: number;
  /** What it added when it was chosen; comparable within one packing only. */
  readonly value: number;
  /** How likely a completion needs what it shows: definitions first, then by value. Comparable within one packing only. */
  readonly score: number;
}

export interface PackInput {
  readonly snippets: readonly Snippet[];
  /** Most that all blocks cost together. */
  readonly maxTokens: number;
  /** What a file costs in the prompt, with its header. */
  readonly costOf: (file: { readonly path: string; readonly text: string }) => number;
  /** What pieces are weighed by, before {@link costOf} counts those that are chosen. */
  readonly charsPerToken: number;
  /** Names that the prompt shows anyway. */
  readonly visible: ReadonlySet<string>;
  /** Names near the cursor: what stands beside one of them elsewhere is likelier to be needed here. */
  readonly near: ReadonlySet<string>;
  /** The unfinished name at the cursor, or `""`. */
  readonly partial: string;
}

export interface Packer {
  /**
   * @param kept blocks that stay as they are, whatever is chosen beside them
   * @returns the kept blocks, then the new ones, the likeliest first; together at most `maxTokens`
   */
  pack(kept?: readonly Block[]): Block[];
  /** What blocks are worth now, whenever they were chosen. */
  worth(blocks: readonly Block[]): number;
  /** Whether a file has other lines by now than a block shows of it, as far as the snippets tell. */
  isStale(blocks: readonly Block[]): boolean;
}

/** What brings less value per token is not worth reading: when nothing scores, nothing is added. */
const MIN_DENSITY = 0.005;

export function createPacker(input: PackInput): Packer {
  const { snippets } = input;
  const { offers, names } = offersOf(input);
  return {
    pack: (kept = []) => fill(kept, offers, names, input),
    worth: (blocks) => worthNow(blocks, names, snippets),
    isStale: (blocks) =>
      blocks.some(({ pieces }) =>
        pieces.some(({ snippet }) => snippets.some((now) => contradicts(now, snippet))),
      ),
  };
}

/** Tells blocks without definitions apart, and puts none of them before one with a likely definition. */
const VALUE_IN_SCORE = 0.01;

/** A name that candidates hold. */
interface Name {
  /** Of the snippets that hold it. */
  relevance: number;
  /** The last of them that was counted. */
  counted: Snippet | undefined;
  worth: number;
  readonly holders: Offer[];
  /** Shown already by what is chosen. */
  isCovered: boolean;
}

/** A piece that can be chosen, and how things stand while a choice is made. */
interface Offer {
  readonly piece: Piece;
  /** Those of some worth. */
  readonly names: readonly Name[];
  /** For showing what the snippet is, in all and beside what stays. */
  readonly ofHead: number;
  head: number;
  /** About; without the header of its file, which it may share. */
  readonly tokens: number;
  /** Of its names that are not yet covered. */
  value: number;
  isLeft: boolean;
}

const newName = (): Name => ({
  ...{ relevance: 0, counted: undefined, worth: 0, holders: [], isCovered: false },
});

type Names = ReadonlyMap<string, Name>;

function offersOf({ snippets, charsPerToken, visible, near, partial }: PackInput): {
  offers: Offer[];
  names: Names;
} {
  const names = new Map<string, Name>();
  const all = snippets.map((snippet) => ({ snippet, pieces: piecesOf(snippet) }));
  for (const { snippet, pieces } of all) {
    const relevance = relevanceOf(snippet);
    const counted = pieces.map((piece) => ({ piece, near: countIn(piece.names, near) }));
    // Of a name in several pieces, the one that stands nearest counts.
    for (const { piece, near: count } of counted.sort((a, b) => b.near - a.near))
      for (const text of piece.names) {
        const name = names.get(text) ?? newName();
        names.set(text, name);
        if (name.counted === snippet) continue;
        name.counted = snippet;
        name.relevance += relevance * besideNear(count);
      }
  }
  for (const [text, name] of names)
    if (!visible.has(text) && text !== partial)
      name.worth = worthOfName(name.relevance, partial !== "" && text.startsWith(partial));

  const offers = all.flatMap(({ snippet, pieces }) => {
    const head = worthOfHead(snippet);
    return pieces.map((piece): Offer => {
      const own = piece.names.flatMap((text) => names.get(text) ?? []).filter(({ worth }) => worth > 0);
      // By length: quick, and on the development packages no worse than counting.
      const tokens = (piece.text.length + 1) / charsPerToken;
      const ofHead = piece.isHead ? head : 0;
      const offer = { piece, names: own, ofHead, head: ofHead, tokens, value: 0, isLeft: true };
      for (const { holders } of own) holders.push(offer);
      return offer;
    });
  });
  return { offers, names };
}

function fill(
  kept: readonly Block[],
  offers: readonly Offer[],
  names: Names,
  { maxTokens, costOf }: PackInput,
): Block[] {
  putUp(offers, kept, names);
  const open = new Map<string, Block>();
  const heads = new Map<Snippet, Offer>();
  const headers = new Map<string, number>();
  const headerOf = (path: string) => {
    const header = open.has(path) ? 0 : (headers.get(path) ?? costOf({ path, text: "" }));
    if (header) headers.set(path, header);
    return header;
  };
  const replacedBy = ({ piece }: Offer) => (piece.isHead ? heads.get(piece.snippet) : undefined);

  let room = maxTokens - sum(kept, ({ tokens }) => tokens);
  for (;;) {
    let best: Offer | undefined;
    let bestDensity = MIN_DENSITY;
    for (const offer of offers) {
      if (!offer.isLeft) continue;
      const instead = replacedBy(offer);
      const value = offer.value + (instead ? 0 : offer.head);
      const tokens = Math.max(1, offer.tokens - (instead?.tokens ?? 0) + headerOf(offer.piece.snippet.path));
      if (value / tokens <= bestDensity || tokens > room) continue;
      best = offer;
      bestDensity = value / tokens;
    }
    if (!best) break;
    best.isLeft = false;
    const { snippet, isHead } = best.piece;
    const before = open.get(snippet.path);
    const block = withPiece(best, before, replacedBy(best), costOf);
    const grown = block.tokens - (before?.tokens ?? 0);
    // What pieces cost alone is an estimate of what they cost together.
    if (grown > room) continue;
    room -= grown;
    open.set(snippet.path, block);
    if (isHead) heads.set(snippet, best);
    if (isHead) withdrawSignature(snippet, offers);
    best.names.forEach(cover);
  }
  return [...kept, ...[...open.values()].sort((a, b) => b.score - a.score)];
}

/** Offers as they are when nothing but the kept blocks is chosen. */
function putUp(offers: readonly Offer[], kept: readonly Block[], names: Names): void {
  const shown = shownIn(kept);
  for (const name of names.values()) name.isCovered = false;
  for (const offer of offers) {
    offer.value = sum(offer.names, ({ worth }) => worth);
    offer.isLeft = !shown.has(offer.piece);
    offer.head = shown.hasHead(offer.piece.snippet) ? 0 : offer.ofHead;
  }
  for (const { text } of kept)
    for (const held of namesOf(text)) {
      const name = names.get(held);
      if (name) cover(name);
    }
}

/** A name pays once. */
function cover(name: Name): void {
  if (name.isCovered) return;
  name.isCovered = true;
  for (const offer of name.holders) offer.value -= name.worth;
}

/** The first lines say more than the signature, never less. */
function withdrawSignature(snippet: Snippet, offers: readonly Offer[]): void {
  for (const offer of offers)
    if (offer.piece.snippet === snippet && offer.piece.form === "signature") offer.isLeft = false;
}

/** @returns the block of the offer's file with its piece in it, in place of the head that it replaces */
function withPiece(
  { piece, value, head }: Offer,
  before: Block | undefined,
  instead: Offer | undefined,
  costOf: PackInput["costOf"],
): Block {
  const { path } = piece.snippet;
  const stay = (before?.pieces ?? []).filter((one) => one !== instead?.piece);
  const pieces = [...stay, piece].sort(byLine);
  const text = textOf(pieces);
  const total = (before?.value ?? 0) + value + (instead ? 0 : head);
  const shown = new Set(pieces.filter((one) => one.isHead).map(({ snippet }) => snippet));
  const score = sum([...shown], worthOfHead) + total * VALUE_IN_SCORE;
  return { path, pieces, text, tokens: costOf({ path, text }), value: total, score };
}

function worthNow(blocks: readonly Block[], names: Names, snippets: readonly Snippet[]): number {
  const { hasHead } = shownIn(blocks);
  const held = new Set(blocks.flatMap(({ text }) => namesOf(text)));
  return sum(snippets.filter(hasHead), worthOfHead) + sum([...held], (name) => names.get(name)?.worth ?? 0);
}

interface Shown {
  /** The same text of the same lines, whichever retrieval found it. */
  has(piece: Piece): boolean;
  /** Whether it is shown what the snippet is. */
  hasHead(snippet: Snippet): boolean;
}

/** By path first: to put each piece's whole place into one key takes longer than all the rest. */
function shownIn(blocks: readonly Block[]): Shown {
  const byPath = new Map<string, Piece[]>();
  for (const piece of blocks.flatMap(({ pieces }) => pieces)) {
    const { path } = piece.snippet;
    byPath.set(path, [...(byPath.get(path) ?? []), piece]);
  }
  const of = ({ path }: Snippet) => byPath.get(path) ?? [];
  return {
    has: ({ snippet, form, startLine, text }) =>
      of(snippet).some(
        (piece) => piece.form === form && piece.startLine === startLine && piece.text === text,
      ),
    hasHead: (snippet) =>
      of(snippet).some(
        (piece) =>
          piece.isHead &&
          piece.snippet.startLine === snippet.startLine &&
          piece.snippet.text === snippet.text,
      ),
  };
}

/** The same lines with another text. What only moved is as true as before. */
const contradicts = (now: Snippet, before: Snippet): boolean =>
  now.path === before.path &&
  now.startLine === before.startLine &&
  now.endLine === before.endLine &&
  now.text !== before.text;

function countIn(names: readonly string[], set: ReadonlySet<string>): number {
  let count = 0;
  for (const name of names) if (set.has(name)) count++;
  return count;
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  let total = 0;
  for (const value of values) total += of(value);
  return total;
}
