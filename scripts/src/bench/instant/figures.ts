/** What the replay's results say, with intervals. */
import { createRandom } from "../random.ts";
import { THRESHOLDS, TYPING_THRESHOLDS } from "./guesser.ts";
import { type Interval, ratioOver } from "./intervals.ts";
import type { PositionResult } from "./replay.ts";
import type { Typed } from "./typing.ts";

export interface ReplayFigures {
  readonly positions: number;
  readonly shown: Interval;
  /** Of what is shown. */
  readonly right: Interval;
  /** Characters of right suggestions, of all that were to be written. */
  readonly characters: Interval;
}

export interface TypingFigures {
  readonly lines: number;
  /** Share of keystrokes. */
  readonly saved: Interval;
  /** Suggestions that were not taken, a line. */
  readonly wrong: Interval;
  /** Keystrokes saved less one for each shown suggestion, a line. */
  readonly net: Interval;
}

export interface CalibrationBin {
  readonly from: number;
  readonly starts: number;
  readonly predicted: number;
  readonly right: Interval;
}

/** @throws {Error} for a threshold that was not tried */
export function replayFigures(results: readonly PositionResult[], threshold: number): ReplayFigures {
  const at = indexOf(THRESHOLDS, threshold);
  const random = createRandom(1);
  const isShown = (r: PositionResult) => Number((r.at[at]?.shown ?? "") !== "");
  const isRight = (r: PositionResult) => Number(r.at[at]?.right ?? false);
  return {
    positions: results.length,
    shown: ratioOver(results, random, (r) => [isShown(r), 1]),
    right: ratioOver(results, random, (r) => [isRight(r), isShown(r)]),
    characters: ratioOver(results, random, (r) => [isRight(r) * (r.at[at]?.shown.length ?? 0), r.restLength]),
  };
}

/** @throws {Error} for a threshold that nothing was typed with */
export function typingFigures(results: readonly PositionResult[], threshold: number): TypingFigures {
  const at = indexOf(TYPING_THRESHOLDS, threshold);
  return typingFiguresOf(results, (r) => r.typed?.[at]);
}

export function typingFiguresOf(
  results: readonly PositionResult[],
  typedOf: (result: PositionResult) => Typed | undefined,
): TypingFigures {
  const random = createRandom(1);
  const lines = results.filter((r) => typedOf(r) !== undefined);
  const ratio = (of: (typed: Typed) => readonly [number, number]) =>
    ratioOver(lines, random, (r) => {
      const typed = typedOf(r);
      return typed ? of(typed) : [0, 0];
    });
  return {
    lines: lines.length,
    saved: ratio(({ characters, keystrokes }) => [characters - keystrokes, characters]),
    wrong: ratio(({ shown, accepted }) => [shown - accepted, 1]),
    net: ratio(({ characters, keystrokes, shown }) => [characters - keystrokes - shown, 1]),
  };
}

const BINS = 10;

/** @returns those bins that anything falls into */
export function calibration(results: readonly PositionResult[]): CalibrationBin[] {
  const random = createRandom(1);
  const starts = results.flatMap(({ package: name, path, starts: of }) =>
    of.map((start) => ({ package: name, path, ...start })),
  );
  return Array.from({ length: BINS }, (_, bin) => bin).flatMap((bin) => {
    const inBin = starts.filter(
      ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === bin,
    );
    if (inBin.length === 0) return [];
    return [
      {
        from: bin / BINS,
        starts: inBin.length,
        predicted: inBin.reduce((sum, { confidence }) => sum + confidence, 0) / inBin.length,
        right: ratioOver(inBin, random, ({ right }) => [Number(right), 1]),
      },
    ];
  });
}

function indexOf(thresholds: readonly number[], threshold: number): number {
  const at = thresholds.indexOf(threshold);
  if (at < 0) throw new Error(`${threshold} was not tried`);
  return at;
}
