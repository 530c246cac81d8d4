/** All cursors of a run. */
import { askMethods, type CursorScores, type MethodOptions } from "./ask-methods.ts";
import { groupBy } from "./group-by.ts";
import type { Situation } from "./method.ts";

/** Packages at a time: while the server answers for one, the baselines of another are computed here. */
const AT_ONCE = 2;
const PROGRESS_EVERY = 100;

/**
 * @param tell is called with the number of cursors that are done, now and then
 * @returns in the order of the situations
 */
export async function askAll(
  situations: readonly Situation[],
  options: MethodOptions,
  tell: (done: number) => void,
): Promise<CursorScores[]> {
  const results = new Map<Situation, CursorScores>();
  const packages = [...groupBy(situations, ({ corpus }) => corpus).values()];
  async function worker(): Promise<void> {
    for (let some = packages.shift(); some; some = packages.shift())
      for (const [at, situation] of some.entries()) {
        results.set(situation, await askMethods(situation, options, at + 1));
        if (results.size % PROGRESS_EVERY === 0) tell(results.size);
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return situations.flatMap((situation) => results.get(situation) ?? []);
}
