import { expect, test } from "vitest";
import { createBootstrap, meanOf } from "./bootstrap.ts";

const strata = Array.from({ length: 200 }, (_, i) => (i < 100 ? "a" : "b"));
const bootstrap = createBootstrap(strata, 2_000, 1);

test("where all cursors agree there is nothing to doubt", () => {
  const ones = strata.map(() => 1);
  const twos = strata.map(() => 2);
  expect(bootstrap.mean(ones)).toEqual({ value: 1, low: 1, high: 1 });
  expect(bootstrap.ratio(twos, ones)).toEqual({ value: 2, low: 2, high: 2 });
  expect(bootstrap.difference(ones, twos)).toEqual({ value: -1, low: -1, high: -1 });
});

test("an interval of a mean is as wide as theory says: 1.96 · √(p(1 − p) / n)", () => {
  const half = strata.map((_, i) => i % 2);
  const { value, low, high } = bootstrap.mean(half);
  expect(value).toBe(0.5);
  expect((high - low) / 2).toBeCloseTo(1.96 * Math.sqrt(0.25 / 200), 2);
});

test("draws within strata: what tells two packages apart is no noise", () => {
  const byPackage = strata.map((stratum) => (stratum === "a" ? 1 : 0));
  expect(bootstrap.mean(byPackage)).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
});

test("pairs: a difference that is the same everywhere is sure, however much the scores differ", () => {
  const noisy = strata.map((_, i) => (i * 7919) % 100);
  const better = noisy.map((score) => score + 3);
  expect(bootstrap.difference(better, noisy)).toEqual({
    value: expect.closeTo(3, 9),
    low: expect.closeTo(3, 9),
    high: expect.closeTo(3, 9),
  });
});

test("cursors on which a score is not defined do not count", () => {
  const some = strata.map((_, i) => (i < 50 ? 1 : Number.NaN));
  expect(bootstrap.mean(some)).toEqual({ value: 1, low: 1, high: 1 });
  expect(meanOf([Number.NaN])).toBeNaN();
});

test("the same seed gives the same intervals, another seed others", () => {
  const scores = strata.map((_, i) => (i * 7919) % 100);
  expect(createBootstrap(strata, 200, 7).mean(scores)).toEqual(createBootstrap(strata, 200, 7).mean(scores));
  expect(createBootstrap(strata, 200, 7).mean(scores)).not.toEqual(
    createBootstrap(strata, 200, 8).mean(scores),
  );
});
