/** Nats of a continuation, token by token, and which of the tokens belong to a name that has to be known. */
import { createHash } from "node:crypto";
import type { LikelihoodText } from "./likelihood-layout.ts";
import type { LanguageModel } from "./likelihood-model.ts";
import type { NatsStore } from "./likelihood-store.ts";

/** Open file and continuation as tokens: the same for every method. */
export interface Question {
  readonly tokens: readonly number[];
  /** Index of the first token that holds some of the continuation; the ones from here on are scored. */
  readonly from: number;
  /** For each scored token, whether it holds some of a name. */
  readonly onName: readonly boolean[];
}

/** Beyond it a function's body would count for more than the line under the cursor. */
const MOST_SCORED_TOKENS = 48;

/**
 * Read in one piece, as the model learned to: cut at the cursor, a line's indentation and a half identifier would become
 * tokens that hardly occur. A token that lies across the cursor is scored as a whole.
 *
 * @param names identifiers; one that begins before the cursor counts too
 */
export function questionOf(
  model: LanguageModel,
  { open, continuation }: Pick<LikelihoodText, "open" | "continuation">,
  names: ReadonlySet<string>,
): Question {
  const text = open + continuation;
  const all = model.tokenize(text);
  const from = tokensWithin(model, all, open);
  const tokens = all.slice(0, from + MOST_SCORED_TOKENS);
  const spans = namesIn(text, names);
  const ends = tokens.slice(from).map((_, i) => model.detokenize(tokens.slice(0, from + i + 1)).length);
  const onName = ends.map((end, i) => {
    const start = i === 0 ? model.detokenize(tokens.slice(0, from)).length : (ends[i - 1] ?? 0);
    return spans.some((span) => span.start < end && start < span.end);
  });
  return { tokens, from, onName };
}

/**
 * The key under which the answer is remembered: all that it follows from.
 *
 * @param context before the question, see `LikelihoodText`
 */
export const keyOf = (model: LanguageModel, context: string, { tokens, from }: Question): string =>
  createHash("sha256")
    .update(JSON.stringify([model.id, context, tokens, from]))
    .digest("base64url");

/** Asks the model only when the store has no answer. @returns −ln p of each scored token */
export async function natsOf(
  { model, store }: { readonly model: LanguageModel; readonly store: NatsStore },
  context: string,
  question: Question,
): Promise<readonly number[]> {
  const key = keyOf(model, context, question);
  const known = store.get(key);
  if (known) return known;
  const before = context === "" ? [] : model.tokenize(context);
  const nats = await model.nats([...before, ...question.tokens], before.length + question.from);
  store.put(key, nats);
  return nats;
}

/** @returns how many of the first tokens spell nothing but the start of `open`, at least 1 */
function tokensWithin(model: LanguageModel, tokens: readonly number[], open: string): number {
  let count = Math.min(tokens.length - 1, model.tokenize(open).length + 1);
  while (count > 1 && !open.startsWith(model.detokenize(tokens.slice(0, count)))) count--;
  return Math.max(1, count);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

const namesIn = (text: string, names: ReadonlySet<string>): Span[] =>
  [...text.matchAll(IDENTIFIER)]
    .filter(([name]) => names.has(name))
    .map(({ 0: name, index }) => ({ start: index, end: index + name.length }));
