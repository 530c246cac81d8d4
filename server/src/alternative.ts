/** Another answer than the usual one, for who looks through several: the same prompt, with tokens drawn by chance. */
import type { FimRequest } from "@dhi/core/protocol";
import type { Sampling } from "./engines/engine.ts";
import type { Postprocessed } from "./postprocess/postprocess.ts";

/** Of the first and the second alternative: high enough that a model leaves its likeliest path, low enough for code. */
const TEMPERATURES = [0.7, 0.8];

/** @returns `undefined` for the usual answer, which an engine gives in its own way */
export function samplingOf({ alternative }: Pick<FimRequest, "alternative">): Sampling | undefined {
  const temperature = alternative && TEMPERATURES[alternative - 1];
  return temperature ? { temperature, seed: alternative } : undefined;
}

/** @returns what an alternative has to differ from: the usual request, and the alternatives before it */
export function othersOf<T extends Pick<FimRequest, "alternative">>(request: T): T[] {
  return Array.from({ length: request.alternative ?? 0 }, (_, n) => ({ ...request, alternative: n }));
}

/**
 * @param others written for {@link othersOf}; `undefined` where that is not known any more
 * @param judge what is shown of a text
 */
export function unlessRepeated(
  shown: Postprocessed,
  others: readonly (string | undefined)[],
  judge: (text: string) => Postprocessed,
): Postprocessed {
  const isRepeated =
    shown.text !== "" && others.some((text) => text !== undefined && judge(text).text === shown.text);
  return isRepeated ? { text: "", reason: "repeats-usual" } : shown;
}
