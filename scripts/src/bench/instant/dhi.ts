/** The product's own instant tier. */
import { OpenFileReader } from "@dhi/server/instant/open-file";
import { greedyTokens, RANKERS } from "@dhi/server/instant/predict-line";
import { type Guess, type Guesser, LEAST_CONFIDENCE } from "./guesser.ts";

/** @param rankers others than the product's show what an idea is worth */
export const dhiWith = (name: string, rankers: Parameters<typeof greedyTokens>[1] = RANKERS): Guesser => ({
  name,
  guess(repository, { indexedPath, prefix, suffix }) {
    const open = new OpenFileReader(repository.vocabulary).read(prefix, suffix);
    const guesses: Guess[] = [];
    let together = 1;
    for (const { added, confidence } of greedyTokens(
      { corpus: repository, open, path: indexedPath },
      rankers,
    )) {
      together *= confidence;
      if (together < LEAST_CONFIDENCE) break;
      guesses.push({ added, confidence: together });
    }
    return guesses;
  },
});

export const dhi = dhiWith("Dhi");
