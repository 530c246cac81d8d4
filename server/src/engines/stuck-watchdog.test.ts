import { expect, test, vi } from "vitest";
import { createWatchdog, Stuck } from "./stuck-watchdog.ts";

const live = () => new AbortController().signal;
/** Work that ends with its signal only, and calls `alive` when told. */
function hanging() {
  let alive = () => {};
  const work = (signal: AbortSignal, onAlive: () => void) => {
    alive = onAlive;
    return new Promise<never>((_, fail) => signal.addEventListener("abort", () => fail(new Error("left"))));
  };
  return { work, alive: () => alive() };
}

function start(patienceMs = 100) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  let stuck = 0;
  const watchdog = createWatchdog({ patienceMs: () => patienceMs, onStuck: () => stuck++ });
  return {
    watchdog,
    stuck: () => stuck,
    [Symbol.dispose]: () => {
      vi.useRealTimers();
    },
  };
}

test("ends a call in which nothing arrives", async () => {
  using subject = start();
  const failed = subject.watchdog.during(live(), hanging().work).catch((e: unknown) => e);
  await vi.advanceTimersByTimeAsync(99);
  expect(subject.stuck()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(subject.stuck()).toBe(1);
  expect(await failed).toEqual(new Stuck(100));
});

test("waits as long as something arrives", async () => {
  using subject = start();
  const { work, alive } = hanging();
  const failed = subject.watchdog.during(live(), work).catch((e: unknown) => e);
  for (let i = 0; i < 5; i++) {
    await vi.advanceTimersByTimeAsync(90);
    alive();
  }
  expect(subject.stuck()).toBe(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(await failed).toBeInstanceOf(Stuck);
});

test("adds up the silence of calls that are given up one after the other", async () => {
  using subject = start();
  for (let i = 0; i < 4; i++) {
    const abort = new AbortController();
    const failed = subject.watchdog.during(abort.signal, hanging().work).catch((e: unknown) => e);
    await vi.advanceTimersByTimeAsync(20);
    abort.abort();
    expect(await failed).toBe(abort.signal.reason);
  }
  const last = subject.watchdog.during(live(), hanging().work).catch((e: unknown) => e);
  await vi.advanceTimersByTimeAsync(20);
  expect(await last).toBeInstanceOf(Stuck);
});

test("does not count time in which nobody waits", async () => {
  using subject = start();
  const abort = new AbortController();
  const failed = subject.watchdog.during(abort.signal, hanging().work).catch(() => {});
  await vi.advanceTimersByTimeAsync(60);
  abort.abort();
  await failed;
  await vi.advanceTimersByTimeAsync(10_000);
  const next = subject.watchdog.during(live(), hanging().work).catch(() => {});
  await vi.advanceTimersByTimeAsync(39);
  expect(subject.stuck()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(subject.stuck()).toBe(1);
  await next;
});

test.each([
  ["an answer", async () => "done"],
  [
    "a refusal",
    async () => {
      throw new Error("404");
    },
  ],
])("begins anew after %s", async (_, work) => {
  using subject = start();
  const abort = new AbortController();
  const given = subject.watchdog.during(abort.signal, hanging().work).catch(() => {});
  await vi.advanceTimersByTimeAsync(60);
  abort.abort();
  await given;
  await subject.watchdog.during(live(), work).catch(() => {});
  const next = subject.watchdog.during(live(), hanging().work).catch(() => {});
  await vi.advanceTimersByTimeAsync(99);
  expect(subject.stuck()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  await next;
});

test("gives an answer back, and the work's own failure", async () => {
  using subject = start();
  expect(await subject.watchdog.during(live(), async () => "done")).toBe("done");
  const failed = subject.watchdog.during(live(), async () => {
    throw new Error("404");
  });
  await expect(failed).rejects.toThrow("404");
  expect(vi.getTimerCount()).toBe(0);
});

test("starts no work for a signal that has fired", async () => {
  using subject = start();
  let started = false;
  const work = async () => {
    started = true;
  };
  await expect(subject.watchdog.during(AbortSignal.abort(), work)).rejects.toThrow("aborted");
  expect(started).toBe(false);
});
