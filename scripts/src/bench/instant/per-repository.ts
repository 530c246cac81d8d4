/** Whether what a repository's own earlier commits say does better than one threshold for all. */
import { createRandom } from "../random.ts";
import { THRESHOLDS } from "./guesser.ts";
import { type Interval, ratioOver } from "./intervals.ts";
import { shiftedBy, shiftFor } from "./recalibration.ts";
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
  /** The fixed threshold on a confidence that is corrected by the earlier commits. */
  readonly recalibrated: ShownAndRight;
  /** One threshold for all, of those that show as many as the corrected confidence does. */
  readonly asMany: ShownAndRight & { readonly threshold: number };
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
  const shifts = new Map<string, number>();
  for (const name of new Set(results.map((r) => r.package))) {
    const own = results.filter((r) => r.package === name);
    const newest = Math.max(...own.map((r) => r.commit));
    const earlier = own.filter((r) => r.commit < newest);
    last.push(...own.filter((r) => r.commit === newest));
    const threshold = THRESHOLDS.find((_, i) => rightAt(earlier, i) >= WANTED) ?? THRESHOLDS.at(-1) ?? FIXED;
    chosen.push({ package: name, threshold });
    shifts.set(name, shiftFor(earlier));
  }
  const chosenFor = (name: string) => chosen.find((c) => c.package === name)?.threshold ?? FIXED;
  const shiftOf = (name: string) => shifts.get(name) ?? 0;
  const shifted = (r: PositionResult) =>
    shownAtLeast(r, FIXED, (confidence) => shiftedBy(confidence, shiftOf(r.package)));
  const asManyAt = thresholdFor(last, last.filter((r) => shifted(r) !== undefined).length);
  return {
    chosen,
    fixed: figures(last, (r) => shownAtLeast(r, FIXED)),
    own: figures(last, (r) => shownAtLeast(r, chosenFor(r.package))),
    recalibrated: figures(last, shifted),
    asMany: { ...figures(last, (r) => shownAtLeast(r, asManyAt)), threshold: asManyAt },
  };
}

/** @returns whether what is shown is right; `undefined` when nothing is */
function shownAtLeast(
  { starts }: PositionResult,
  threshold: number,
  corrected: (confidence: number) => number = (confidence) => confidence,
): boolean | undefined {
  return starts.findLast(({ confidence }) => corrected(confidence) >= threshold)?.shownRight;
}

/** @returns the highest threshold at which so many are shown something */
function thresholdFor(results: readonly PositionResult[], count: number): number {
  const sure = results.map(({ starts }) => starts.find((s) => s.shownRight !== undefined)?.confidence ?? 0);
  return sure.sort((a, b) => b - a)[Math.max(0, count - 1)] ?? FIXED;
}

function figures(
  results: readonly PositionResult[],
  shown: (result: PositionResult) => boolean | undefined,
): ShownAndRight {
  const random = createRandom(1);
  const isShown = (r: PositionResult) => Number(shown(r) !== undefined);
  const isRight = (r: PositionResult) => Number(shown(r) ?? false);
  const misses = [...new Set(results.map((r) => r.package))].map((name) => {
    const own = results.filter((r) => r.package === name);
    const some = own.filter(isShown);
    return some.length === 0 ? 0 : Math.abs(own.filter(isRight).length / some.length - WANTED);
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
