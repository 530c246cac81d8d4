/** Writes down what was fitted, as code of the product. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fit } from "./fit.ts";

/** Takes the place of `ranker-weights.ts`; to be formatted afterwards. @param root of our repository */
export function writeWeights(root: string, next: Fit, completesWord: Fit, how: string): void {
  const file = join(root, "server", "src", "instant", "ranker-weights.ts");
  const ranker = (name: string, { candidate, none }: Fit) =>
    `export const ${name}: RankerWeights = {
  candidate: candidateScorer(${thousandths(candidate)}),
  none: noneScorer(${thousandths(none)}),
};`;
  writeFileSync(
    file,
    `/**
 * Fitted as \`npm run bench:instant -- --part fit\` does; not to be edited. The weights, in thousandths, that make what added lines
 * of the development packages say most likely: ${how}.
 */
import { candidateScorer, noneScorer, type RankerWeights } from "./ranker.ts";

/** For a token of its own. */
${ranker("NEXT", next)}

/** For a token whose first characters are typed. */
${ranker("COMPLETES_WORD", completesWord)}
`,
  );
}

const thousandths = (weights: Float64Array): string =>
  `[${Array.from(weights, (weight) => Math.round(weight * 1_000)).join(", ")}]`;
