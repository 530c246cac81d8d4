import { expect, test } from "vitest";
import { createRandom } from "../random.ts";
import { ratioOver } from "./intervals.ts";

const results = (files: number, linesPerFile: number) =>
  Array.from({ length: files * linesPerFile }, (_, i) => ({
    ...{ package: "p", path: `${Math.floor(i / linesPerFile)}` },
    // A file is all right or all wrong.
    right: Math.floor(i / linesPerFile) % 2,
  }));
const width = (files: number, linesPerFile: number) => {
  const { low, high } = ratioOver(results(files, linesPerFile), createRandom(1), (r) => [r.right, 1]);
  return high - low;
};

test("the value is that of all lines, and the interval that of files", () => {
  const { value } = ratioOver(results(10, 4), createRandom(1), (r) => [r.right, 1]);
  expect(value).toBe(0.5);
  // More lines of the same files say nothing new.
  expect(width(10, 20)).toBeCloseTo(width(10, 2), 1);
  expect(width(160, 2)).toBeLessThan(width(10, 2) / 2);
});
