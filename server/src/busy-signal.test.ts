import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBusySignal } from "./busy-signal.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** @returns when the indexer was told, in milliseconds from the start */
function heard() {
  const at: number[] = [];
  const began = performance.now();
  const signal = createBusySignal(async () => {
    at.push(performance.now() - began);
    throw new Error("the indexer is away");
  });
  return { signal, at };
}
const takes = (ms: number) => new Promise<string>((done) => setTimeout(() => done("text"), ms));

test("says so at once, again every half second while it runs, and then no more", async () => {
  const { signal, at } = heard();
  const done = signal.during(takes(1_200));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await done).toBe("text");
  expect(at).toEqual([0, 500, 1_000]);
});

test("says so no more often for many completions", async () => {
  const { signal, at } = heard();
  for (let i = 0; i < 20; i++) {
    void signal.during(takes(30));
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(at).toEqual([0, 500]);
});

test("says nothing of what is over at once", async () => {
  const { signal, at } = heard();
  expect(await signal.during(Promise.resolve("text"))).toBe("text");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(at).toEqual([]);
});

test("passes on how the completion failed", async () => {
  const { signal } = heard();
  await expect(signal.during(Promise.reject(new Error("no engine")))).rejects.toThrow("no engine");
});
