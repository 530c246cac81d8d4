import { expect, test } from "vitest";
import { calibrated, UNCALIBRATED } from "./calibration.ts";

test("leaves a confidence as it is where nothing is to be corrected, and nothing is ever certain", () => {
  expect([0.25, 0.9].map((sure) => calibrated(sure, 3, UNCALIBRATED))).toEqual([
    expect.closeTo(0.25),
    expect.closeTo(0.9),
  ]);
  expect(calibrated(1, 1, UNCALIBRATED)).toBeLessThan(1);
});

test("believes more of a long start whose tokens do not fail one by one", () => {
  const calibration = { intercept: 0, slope: 1, perLogToken: 0.3 };
  expect(calibrated(0.5, 8, calibration)).toBeGreaterThan(calibrated(0.5, 1, calibration));
});
