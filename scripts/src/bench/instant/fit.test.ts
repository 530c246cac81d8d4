import { CANDIDATE_FEATURES, NONE_FEATURES } from "@dhi/server/instant/features";
import { expect, test } from "vitest";
import { createRandom } from "../random.ts";
import type { Example } from "./examples.ts";
import { fit, lossOf } from "./fit.ts";

/** Two candidates; the one with the greater first feature is right, unless the first feature of "none" says none is. */
function examples(count: number): Example[] {
  const random = createRandom(5);
  return Array.from({ length: count }, () => {
    const candidates = new Float32Array(2 * CANDIDATE_FEATURES);
    const none = new Float32Array(NONE_FEATURES);
    candidates[0] = random.next() * 2 - 1;
    candidates[CANDIDATE_FEATURES] = random.next() * 2 - 1;
    none[0] = random.below(4) ? 0 : 1;
    const right = none[0] === 1 ? -1 : (candidates[0] ?? 0) > (candidates[CANDIDATE_FEATURES] ?? 0) ? 0 : 1;
    return { candidates, none, right, startsLine: true };
  });
}

test("learns which candidate is right, and when none is", () => {
  const fitted = fit(examples(2_000), { hidden: 3, noneHidden: 2, epochs: 40, seed: 1, decay: 0 });
  const { loss, right } = lossOf(examples(500), fitted);
  expect(right).toBeGreaterThan(0.68);
  expect(loss).toBeLessThan(0.35);
});
