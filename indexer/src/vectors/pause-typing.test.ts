import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPauseTyping } from "./pause-typing.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function scene(stillMs = 1_000) {
  const typed = new Set(["typed"]);
  const still: string[] = [];
  const typing = createPauseTyping({
    isTyped: (path) => typed.has(path),
    onStill: (path) => still.push(path),
    stillMs,
  });
  return { typed, still, typing };
}

test("hands on a path that is typed once, when it has stood still", () => {
  const { still, typing } = scene();
  for (let i = 0; i < 100; i++) {
    typing.changed("typed");
    vi.advanceTimersByTime(999);
  }
  expect([still, typing.waiting()]).toEqual([[], 1]);
  vi.advanceTimersByTime(1);
  expect([still, typing.waiting()]).toEqual([["typed"], 0]);
});

test("hands on everything else at once, and a typed one as soon as it is saved or closed", () => {
  const { still, typing, typed } = scene();
  typing.changed("saved");
  typing.changed("typed");
  typed.clear();
  typing.changed("typed");
  vi.advanceTimersByTime(5_000);
  expect(still).toEqual(["saved", "typed"]);
});

test("holds nothing back for an embedder that needs no time", () => {
  const { still, typing } = scene(0);
  typing.changed("typed");
  expect(still).toEqual(["typed"]);
});
