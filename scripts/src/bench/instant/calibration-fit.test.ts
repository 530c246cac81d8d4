import { calibrated } from "@dhi/server/instant/calibration";
import { expect, test } from "vitest";
import { fitCalibration } from "./calibration-fit.ts";

test("a confidence that is right less often than it says is lowered to what it is, and a sure one stays", () => {
  const starts = (confidence: number, rights: readonly number[]) =>
    rights.map((right) => ({
      starts: [{ confidence, right: right === 1, shownRight: right === 1 }],
    }));
  const results = [
    ...Array.from({ length: 50 }, () => starts(0.6, [1, 0, 0, 0])).flat(),
    ...Array.from({ length: 50 }, () => starts(0.9, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0])).flat(),
  ];
  const calibration = fitCalibration(results);
  expect(calibrated(0.6, 1, calibration)).toBeCloseTo(0.25, 2);
  expect(calibrated(0.9, 1, calibration)).toBeCloseTo(0.9, 2);
});

test("a long start that is right more often than its product says gains by its length", () => {
  const start = (right: boolean) => ({ confidence: 0.5, right, shownRight: right });
  const results = Array.from({ length: 100 }, (_, i) => ({
    starts: [start(i % 2 === 0), start(i % 4 !== 0)],
  }));
  const calibration = fitCalibration(results);
  expect(calibrated(0.5, 2, calibration)).toBeCloseTo(0.75, 2);
});
