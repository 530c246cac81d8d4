/** Whether a threshold that a repository chooses by its own earlier commits does better than the fixed one. */
import { createRandom } from "../random.ts";
import { THRESHOLDS } from "./guesser.ts";
import { type Interval, ratioOver } from "./intervals.ts";
import type { PositionResult } from "./replay.ts";

export interface ChosenThreshold {
  readonly package: string;
  readonly threshold: number;
}

export interface PerRepository {
  readonly chosen: readonly ChosenThreshold[];
  /** At the positions of each package's last commit. */
  readonly fixed: ShownAndRight;
  readonly own: ShownAndRight;
}

export interface ShownAndRight {
  readonly shown: Interval;
  readonly right: Interval;
  /** The largest miss of a package from {@link WANTED}, in points; what a threshold of its own is to lessen. */
  readonly spread: number;
}

/** What the choice aims at: the lowest threshold that was as often right on the commits before the last. */
const WANTED = 0.8;
export const FIXED = 0.7;

export function perRepository(results: readonly PositionResult[]): PerRepository {
  const chosen: ChosenThreshold[] = [];
  const last: PositionResult[] = [];
  for (const name of new Set(results.map((r) => r.package))) {
    const own = results.filter((r) => r.package === name);
    const newest = Math.max(...own.map((r) => r.commit));
    const earlier = own.filter((r) => r.commit < newest);
    last.push(...own.filter((r) => r.commit === newest));
    const threshold = THRESHOLDS.find((_, i) => rightAt(earlier, i) >= WANTED) ?? THRESHOLDS.at(-1) ?? FIXED;
    chosen.push({ package: name, threshold });
  }
  const chosenFor = (name: string) => chosen.find((c) => c.package === name)?.threshold ?? FIXED;
  return {
    chosen,
    fixed: figures(last, () => FIXED),
    own: figures(last, chosenFor),
  };
}

function figures(results: readonly PositionResult[], thresholdOf: (name: string) => number): ShownAndRight {
  const random = createRandom(1);
  const at = (r: PositionResult) => r.at[THRESHOLDS.indexOf(thresholdOf(r.package))];
  const isShown = (r: PositionResult) => Number((at(r)?.shown ?? "") !== "");
  const isRight = (r: PositionResult) => Number(at(r)?.right ?? false);
  const misses = [...new Set(results.map((r) => r.package))].map((name) => {
    const own = results.filter((r) => r.package === name);
    const shown = own.filter(isShown);
    return shown.length === 0 ? 0 : Math.abs(own.filter(isRight).length / shown.length - WANTED);
  });
  return {
    shown: ratioOver(results, random, (r) => [isShown(r), 1]),
    right: ratioOver(results, random, (r) => [isRight(r), isShown(r)]),
    spread: 100 * Math.max(...misses),
  };
}

function rightAt(results: readonly PositionResult[], threshold: number): number {
  const shown = results.filter((r) => (r.at[threshold]?.shown ?? "") !== "");
  return shown.length === 0 ? 0 : shown.filter((r) => r.at[threshold]?.right).length / shown.length;
}
