/** The product's own instant tier. */
import { OpenFileReader } from "@dhi/server/instant/open-file";
import { greedyTokens, RANKERS, type Rankers } from "@dhi/server/instant/predict-line";
import { type Guess, type Guesser, LEAST_CONFIDENCE } from "./guesser.ts";

/** @param rankers others than the product's show what an idea is worth */
export const dhiWith = (name: string, rankers: Rankers = RANKERS): Guesser => ({
  name,
  guess(repository, { indexedPath, prefix, suffix }) {
    const { corpus } = repository;
    const open = new OpenFileReader(corpus.vocabulary).read(prefix, suffix);
    const symbols = repository.symbolsAt({ indexedPath, prefix, suffix });
    const guesses: Guess[] = [];
    for (const { added, confidence } of greedyTokens({ corpus, open, path: indexedPath, symbols }, rankers)) {
      if (confidence < LEAST_CONFIDENCE) break;
      guesses.push({ added, confidence });
    }
    return guesses;
  },
});

export const dhi = dhiWith("Dhi");
