import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BackgroundLoop, startBackgroundLoop } from "./background-loop.ts";

let loop: BackgroundLoop | undefined;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  await loop?.close();
  vi.useRealTimers();
});

/** @param answers what each step gives, an Error to throw it; `Infinity` after the last */
function run(...answers: (number | Error)[]) {
  const failures: (string | undefined)[] = [];
  let steps = 0;
  let rests = 0;
  loop = startBackgroundLoop({
    async step() {
      const answer = answers[steps++] ?? Number.POSITIVE_INFINITY;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    retry: { firstMs: 1_000, mostMs: 3_000 },
    onRest: () => rests++,
    onFailure: (failure) => failures.push(failure?.words),
  });
  return { loop, failures, steps: () => steps, rests: () => rests };
}
/** Lets everything run that does not wait for a timer. */
const settle = async () => {
  for (let i = 0; i < 5; i++) await new Promise((done) => setImmediate(done));
};
const after = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
};

test("goes on at once while there is more to do, and rests when there is not", async () => {
  const { steps, rests } = run(0, 0);
  await settle();
  expect([steps(), rests()]).toEqual([3, 1]);
});

test("looks again after the time that a step names", async () => {
  const { steps } = run(500);
  await after(499);
  expect(steps()).toBe(1);
  await after(1);
  expect(steps()).toBe(2);
});

test("looks again when it is woken, also by a call that comes in the middle of a step", async () => {
  const { loop, steps } = run();
  loop.wake();
  await settle();
  expect(steps()).toBe(2);
  loop.wake();
  await settle();
  expect(steps()).toBe(3);
});

test("waits ever longer while steps fail, up to the most", async () => {
  const down = new Error("down");
  const { steps } = run(down, down, down, down);
  const tries: number[] = [];
  for (const ms of [0, 999, 1, 1_999, 1, 2_999, 1, 2_999, 1]) {
    await after(ms);
    tries.push(steps());
  }
  expect(tries).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
});

test("a call to wake shortens the wait after a failure to the first delay and no further", async () => {
  const down = new Error("down");
  const { loop, steps } = run(down, down, down);
  await after(1_000);
  expect(steps()).toBe(2);
  loop.wake();
  await after(999);
  expect(steps()).toBe(2);
  await after(1);
  expect(steps()).toBe(3);
});

test("tells a failure once, and its end", async () => {
  const { loop, failures } = run(new Error("a"), new Error("a"), new Error("b"), 0);
  await after(0);
  expect(loop.failure()?.words).toBe("a");
  await after(10_000);
  expect(failures).toEqual(["a", "b", undefined]);
  expect(loop.failure()).toBeUndefined();
});

test("aborts the step that runs when it is closed, which is no failure", async () => {
  const failures: unknown[] = [];
  const closing = startBackgroundLoop({
    step: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    retry: { firstMs: 1_000, mostMs: 1_000 },
    onRest() {},
    onFailure: (failure) => failures.push(failure),
  });
  await closing.close();
  expect(failures).toEqual([]);
});
