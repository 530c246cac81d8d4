import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPause } from "./pause.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function setUp(isOnBattery = async (): Promise<boolean | undefined> => undefined) {
  const changes: unknown[] = [];
  const pause = createPause({ onChange: () => changes.push(pause.now()), isOnBattery, batteryMs: 50 });
  return { pause, changes };
}

test("a snooze ends by itself, and both ends are told", () => {
  const { pause, changes } = setUp();
  pause.snooze(300_000);
  expect(pause.now()).toEqual({ snoozedUntil: 1_300_000, isOnBattery: false });
  vi.advanceTimersByTime(300_000);
  expect(changes).toEqual([
    { snoozedUntil: 1_300_000, isOnBattery: false },
    { snoozedUntil: 0, isOnBattery: false },
  ]);
});

test("a snooze can be ended, and be made longer", () => {
  const { pause, changes } = setUp();
  pause.snooze(1_000);
  pause.snooze(5_000);
  vi.advanceTimersByTime(4_000);
  expect(pause.now().snoozedUntil).toBe(1_005_000);
  pause.snooze(0);
  expect(pause.now().snoozedUntil).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(changes).toHaveLength(3);
});

test("the battery is looked at only while that is wanted, and changes are told once", async () => {
  const answers = [true, true, false, undefined];
  let reads = 0;
  const { pause, changes } = setUp(async () => answers[Math.min(reads++, answers.length - 1)]);
  await vi.advanceTimersByTimeAsync(500);
  expect(reads).toBe(0);
  pause.watchBattery(true);
  await vi.advanceTimersByTimeAsync(200);
  expect(changes).toEqual([
    { snoozedUntil: 0, isOnBattery: true },
    { snoozedUntil: 0, isOnBattery: false },
  ]);
  pause.watchBattery(false);
  const before = reads;
  await vi.advanceTimersByTimeAsync(500);
  expect(reads).toBe(before);
});

test("nobody is told anything once it is disposed", async () => {
  const { pause, changes } = setUp(async () => true);
  pause.snooze(1_000);
  pause.watchBattery(true);
  pause.dispose();
  const before = changes.length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(changes).toHaveLength(before);
});
