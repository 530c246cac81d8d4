/** Cursor by cursor, every method, as far as the time goes. */
import type { LikelihoodCase } from "./likelihood-contexts.ts";
import type { LanguageModel } from "./likelihood-model.ts";
import { keyOf, natsOf, type Question, questionOf } from "./likelihood-score.ts";
import type { NatsStore } from "./likelihood-store.ts";

/** Means over the scored tokens of one cursor, by method. */
export interface CursorNats {
  readonly cursor: LikelihoodCase["cursor"];
  readonly all: Readonly<Record<string, number>>;
  /** Of tokens of names that only other files show; NaN where the continuation has none. */
  readonly names: Readonly<Record<string, number>>;
  /** The same for methods that chose the same context. */
  readonly prompts: Readonly<Record<string, string>>;
}

export interface Scorer {
  readonly model: LanguageModel;
  readonly store: NatsStore;
}

/**
 * @param mayAsk whether there is time to ask the model; when there is not, the first cursor that would need it ends all
 * @yields in the order of the cases, each whole: every method or none
 */
export async function* measureLikelihood(
  cases: readonly LikelihoodCase[],
  scorer: Scorer,
  mayAsk: () => boolean,
): AsyncGenerator<CursorNats> {
  for (const one of cases) {
    const question = questionFor(scorer.model, one);
    if (!question) continue;
    if (!mayAsk() && !isKnown(one, question, scorer)) return;
    yield await natsOfCase(one, question, scorer);
  }
}

/** The methods differ in what comes before only. */
function questionFor(model: LanguageModel, { texts, names }: LikelihoodCase): Question | undefined {
  const [text] = Object.values(texts);
  return text && questionOf(model, text, names);
}

const isKnown = ({ texts }: LikelihoodCase, question: Question, { model, store }: Scorer): boolean =>
  Object.values(texts).every(({ context }) => store.get(keyOf(model, context, question)));

async function natsOfCase(
  { cursor, texts }: LikelihoodCase,
  question: Question,
  scorer: Scorer,
): Promise<CursorNats> {
  const methods = Object.entries(texts);
  const nats = new Map<string, readonly number[]>();
  // In the order of their texts, neighbours begin alike, and the model does not read the same again.
  for (const [method, { context }] of methods.toSorted(([, a], [, b]) => (a.context < b.context ? -1 : 1)))
    nats.set(method, await natsOf(scorer, context, question));
  const byMethod = (of: (nats: readonly number[]) => number) =>
    Object.fromEntries(methods.map(([method]) => [method, of(nats.get(method) ?? [])]));
  return {
    cursor,
    all: byMethod(mean),
    names: byMethod((each) => mean(each.filter((_, i) => question.onName[i]))),
    prompts: Object.fromEntries(
      methods.map(([method, { context }]) => [method, keyOf(scorer.model, context, question)]),
    ),
  };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
