import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRate } from "./rate.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("knows nothing before the first note", () => {
  expect(createRate().perItem()).toBeUndefined();
});

test("says what lately took how long, and forgets what was before", () => {
  const rate = createRate(1_000);
  rate.note(10, 5_000);
  expect(rate.perItem()).toBe(500);
  vi.advanceTimersByTime(800);
  rate.note(10, 1_000);
  expect(rate.perItem()).toBe(300);
  vi.advanceTimersByTime(900);
  rate.note(10, 1_000);
  expect(rate.perItem()).toBe(100);
});

test("keeps the last note through a pause", () => {
  const rate = createRate(1_000);
  rate.note(4, 400);
  vi.advanceTimersByTime(60_000);
  expect(rate.perItem()).toBe(100);
});
