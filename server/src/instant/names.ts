/** How likely each known word is, given its first characters: what completes a name that no match has seen here. */
import type { Corpus } from "./corpus.ts";
import type { OpenFile } from "./open-file.ts";
import { UNKNOWN } from "./vocabulary.ts";

/** A use in the file at hand says more than one elsewhere, and a definition waits to be used. */
const OPEN_FILE_WEIGHT = 4;
const DEFINITION_WEIGHT = 2;

/**
 * @param typed start of a word, or all of it: then it has a share of its own
 * @returns word → share; they add up to 1, or there are none
 */
export function nameShares(corpus: Corpus, open: OpenFile, typed: string): Map<number, number> {
  const { vocabulary } = corpus;
  const weights = new Map<number, number>();
  const known = vocabulary.find(typed);
  if (known !== UNKNOWN) weights.set(known, weightInRepository(corpus, known));
  for (const id of vocabulary.startingWith(typed)) weights.set(id, weightInRepository(corpus, id));
  for (const tokens of [open.above, open.below]) {
    for (let place = 0; place < tokens.length; place++) {
      const id = tokens.id(place);
      const weight = weights.get(id);
      if (weight !== undefined) weights.set(id, weight + OPEN_FILE_WEIGHT);
    }
  }
  let total = 0;
  for (const weight of weights.values()) total += weight;
  const shares = new Map<number, number>();
  for (const [id, weight] of weights) if (weight > 0) shares.set(id, weight / total);
  return shares;
}

const weightInRepository = (corpus: Corpus, id: number): number =>
  corpus.uses(id) + DEFINITION_WEIGHT * corpus.definitions(id);
