import { expect, test } from "vitest";
import { createTokenRatio } from "./token-ratio.ts";

const after = (counts: readonly number[], estimated = 1000) => {
  const ratio = createTokenRatio();
  for (const counted of counts) ratio.learn(estimated, counted);
  return ratio.factor;
};
const times = (count: number, counted: number) => Array.from({ length: count }, () => counted);

test("is 1 until some prompts were counted", () => {
  expect(after([])).toBe(1);
  expect(after(times(7, 850))).toBe(1);
});

test("goes to what the engine counts, rounded up", () => {
  expect(after(times(20, 830))).toBeCloseTo(0.85);
  expect(after(times(20, 1120))).toBeCloseTo(1.15);
});

test("keeps a distance where prompts differ", () => {
  const mixed = Array.from({ length: 40 }, (_, i) => (i % 2 ? 780 : 880));
  expect(after(mixed)).toBeGreaterThan(0.88);
});

test("stays where the prompt is within the context window, whatever was counted", () => {
  expect(after(times(50, 500))).toBe(0.8);
  expect(after(times(50, 2000))).toBe(1.25);
});

test("does not learn from short prompts, nor from counts of only what was new", () => {
  expect(after(times(50, 80), 100)).toBe(1);
  expect(after(times(50, 390), 1000)).toBe(1);
  expect(after(times(50, 1000), 4000)).toBe(1);
});

test("changes seldom", () => {
  const ratio = createTokenRatio();
  const factors = new Set<number>();
  for (let i = 0; i < 500; i++) {
    ratio.learn(1000, 800 + ((i * 37) % 60));
    factors.add(ratio.factor);
  }
  expect(factors.size).toBeLessThanOrEqual(3);
});
