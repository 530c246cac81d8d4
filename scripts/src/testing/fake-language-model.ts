import type { LanguageModel } from "../eval/likelihood-model.ts";

export interface FakeLanguageModel extends LanguageModel {
  /** The texts it was asked about, in order. */
  readonly asked: readonly string[];
}

/** A word, a mark or a blank is a token; one that has come before costs 1 nat, a new one 3. */
export function fakeLanguageModel(id = "fake"): FakeLanguageModel {
  const vocabulary: string[] = [];
  const asked: string[] = [];
  const detokenize = (tokens: readonly number[]) => tokens.map((token) => vocabulary[token] ?? "").join("");
  return {
    id,
    asked,
    tokenize: (text) =>
      (text.match(/\w+|\W/g) ?? []).map((word) => {
        if (!vocabulary.includes(word)) vocabulary.push(word);
        return vocabulary.indexOf(word);
      }),
    detokenize,
    async nats(tokens, from) {
      asked.push(detokenize(tokens));
      return tokens.slice(from).map((token, i) => (tokens.slice(0, from + i).includes(token) ? 1 : 3));
    },
    work: () => ({ tokens: asked.length, seconds: 1 }),
    async close() {},
  };
}
