import { expect, test } from "vitest";
import { shiftedBy, shiftFor } from "./recalibration.ts";

const positions = (count: number, confidence: number, rightOf10: number) =>
  Array.from({ length: count }, (_, i) => ({
    starts: [{ confidence, right: i % 10 < rightOf10, shownRight: undefined }],
  }));

test("many positions that are less often right than said lower the confidence to what is true", () => {
  const shift = shiftFor(positions(100_000, 0.9, 7));
  expect(shiftedBy(0.9, shift)).toBeCloseTo(0.7, 1);
});

test("few change next to nothing, and none nothing", () => {
  expect(shiftedBy(0.9, shiftFor(positions(20, 0.9, 7)))).toBeCloseTo(0.9, 2);
  expect(shiftFor([])).toBe(0);
});
