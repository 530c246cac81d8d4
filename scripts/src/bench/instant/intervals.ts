/** How sure a share is when the lines of a file resemble each other: whole files are drawn again, package by package. */
import type { Random } from "../random.ts";

export interface Interval {
  readonly value: number;
  /** 95 % of the resamples lie between; NaN where there is nothing to divide by. */
  readonly low: number;
  readonly high: number;
}

export interface FromFile {
  readonly package: string;
  readonly path: string;
}

const RESAMPLES = 400;

/** @param of gets two sums per result; the value is one divided by the other */
export function ratioOver<T extends FromFile>(
  results: readonly T[],
  random: Random,
  of: (result: T) => readonly [number, number],
): Interval {
  const packages = new Map<string, Map<string, [number, number]>>();
  for (const result of results) {
    const files = packages.get(result.package) ?? new Map<string, [number, number]>();
    packages.set(result.package, files);
    const sums = files.get(result.path) ?? [0, 0];
    files.set(result.path, sums);
    const [above, below] = of(result);
    sums[0] += above;
    sums[1] += below;
  }
  const groups = [...packages.values()].map((files) => [...files.values()]);
  const all = groups.flat().reduce<[number, number]>((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]);
  const draws = Array.from({ length: RESAMPLES }, () => {
    let [above, below] = [0, 0];
    for (const files of groups)
      for (let i = 0; i < files.length; i++) {
        const [a, b] = files[random.below(files.length)] ?? [0, 0];
        above += a;
        below += b;
      }
    return above / below;
  }).sort((a, b) => a - b);
  const at = (share: number) => draws[Math.floor(share * RESAMPLES)] ?? Number.NaN;
  return { value: all[0] / all[1], low: at(0.025), high: at(0.975) };
}
