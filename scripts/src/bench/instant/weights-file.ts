/** Writes down what was fitted, as code of the product. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Calibration } from "@dhi/server/instant/calibration";
import type { Fit } from "./fit.ts";

/** Takes the place of `ranker-weights.ts`; to be formatted afterwards. @param root of our repository */
export function writeWeights(
  root: string,
  { next, completesWord, calibration }: { next: Fit; completesWord: Fit; calibration: Calibration },
  how: string,
): void {
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
import type { Calibration } from "./calibration.ts";
import { candidateScorer, noneScorer, type RankerWeights } from "./ranker.ts";

/** For a token of its own. */
${ranker("NEXT", next)}

/** For a token whose first characters are typed. */
${ranker("COMPLETES_WORD", completesWord)}

/** Of what rankers fitted on half of the packages say of the other half, and the other way round. */
export const CALIBRATION: Calibration = {
  intercept: ${calibration.intercept.toFixed(3)},
  slope: ${calibration.slope.toFixed(3)},
  perLogToken: ${calibration.perLogToken.toFixed(3)},
};
`,
  );
}

const thousandths = (weights: Float64Array): string =>
  `[${Array.from(weights, (weight) => Math.round(weight * 1_000)).join(", ")}]`;
