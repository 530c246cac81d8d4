import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSetAside } from "./set-aside.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("is due after the first wait, then after twice as long, at most after an hour", () => {
  const aside = createSetAside(1_000);
  const waits: number[] = [];
  for (let i = 0; i < 14; i++) {
    aside.put("a", "a: no");
    waits.push(aside.untilDue());
    expect([aside.isWaiting("a"), aside.due()]).toEqual([true, []]);
    vi.advanceTimersByTime(aside.untilDue());
    expect([aside.isWaiting("a"), aside.due()]).toEqual([false, ["a"]]);
  }
  expect(waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  expect(waits.at(-1)).toBe(3_600_000);
});

test("names one of those that wait, and forgets what is dropped", () => {
  const aside = createSetAside(1_000);
  expect([aside.example(), aside.untilDue()]).toEqual([undefined, Number.POSITIVE_INFINITY]);
  aside.put("a", "a: no");
  aside.put("b", "b: no");
  expect([aside.keys(), aside.example()]).toEqual([["a", "b"], "a: no"]);
  aside.drop("a");
  expect([aside.keys(), aside.example(), aside.isWaiting("a")]).toEqual([["b"], "b: no", false]);
});
