/** Fits the calibration of a line's confidence: logistic regression (Newton's method) on starts that were replayed. */
import { type Calibration, logOdds } from "@dhi/server/instant/calibration";
import type { PositionResult } from "./replay.ts";

const STEPS = 25;
/** Keeps the first steps small where there is next to nothing to fit on. */
const RIDGE = 1e-3;

/** @param results of an uncalibrated ranker that was fitted on other packages */
export function fitCalibration(results: readonly Pick<PositionResult, "starts">[]): Calibration {
  const rows = results.flatMap(({ starts }) =>
    starts.map(({ confidence, right }, i) => ({
      inputs: [1, logOdds(confidence), Math.log(i + 1)],
      right: Number(right),
    })),
  );
  let weights = [0, 1, 0];
  for (let step = 0; step < STEPS; step++) {
    const slope = [0, 0, 0];
    const curvature = [0, 1, 2].map((i): number[] => [0, 1, 2].map((j) => (i === j ? RIDGE : 0)));
    for (const { inputs, right } of rows) {
      const sure = 1 / (1 + Math.exp(-dot(weights, inputs)));
      inputs.forEach((input, i) => {
        slope[i] = (slope[i] ?? 0) + (right - sure) * input;
        const row = curvature[i] ?? [];
        inputs.forEach((other, j) => {
          row[j] = (row[j] ?? 0) + sure * (1 - sure) * input * other;
        });
      });
    }
    const change = solve(curvature, slope);
    weights = weights.map((weight, i) => weight + (change[i] ?? 0));
  }
  const [intercept = 0, slope = 1, perLogToken = 0] = weights;
  return { intercept, slope, perLogToken };
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0);

/** Gauss and Jordan's elimination, for a matrix that is positive definite. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows[i] ?? [];
    const by = pivot[i] ?? 1;
    for (const [other, row] of rows.entries()) {
      const times = other === i ? 0 : (row[i] ?? 0) / by;
      rows[other] = row.map((value, column) => value - times * (pivot[column] ?? 0));
    }
  }
  return rows.map((row, i) => (row.at(-1) ?? 0) / (row[i] ?? 1));
}
