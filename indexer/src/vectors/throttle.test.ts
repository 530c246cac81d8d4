import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createThrottle, type Demand } from "./throttle.ts";

const never = new AbortController().signal;
const limits = { syncFirstMs: 120, completionsFirstMs: 120, batteryRestMostMs: 200 };

const throttleFor = (demand: Partial<Record<keyof Demand, boolean>>) =>
  createThrottle(
    {
      isSyncing: () => demand.isSyncing ?? false,
      isCompleting: () => demand.isCompleting ?? false,
      onBattery: () => demand.onBattery ?? false,
    },
    limits,
  );

/** @returns milliseconds until it settles */
async function waits(work: Promise<void>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

test("waits for nobody when nobody wants anything", async () => {
  const throttle = throttleFor({});
  expect(await waits(throttle.makeRoom(true, never))).toBeLessThan(50);
  expect(throttle.isGentle()).toBe(false);
});

test("a sync goes first, and not for ever", async () => {
  expect(await waits(throttleFor({ isSyncing: true }).makeRoom(false, never))).toBeGreaterThan(115);
});

test("a backlog waits for completions, and not for ever; a save's few texts do not wait", async () => {
  const throttle = throttleFor({ isCompleting: true });
  expect(await waits(throttle.makeRoom(false, never))).toBeLessThan(50);
  expect(await waits(throttle.makeRoom(true, never))).toBeGreaterThan(115);
  expect(throttle.isGentle()).toBe(true);
});

test("goes on as soon as the completion is over", async () => {
  const demand = { isCompleting: true };
  const throttle = throttleFor(demand);
  setTimeout(() => (demand.isCompleting = false), 20);
  expect(await waits(throttle.makeRoom(true, never))).toBeLessThan(100);
});

test("on a battery a backlog rests three times as long as it works, and not for ever", async () => {
  const throttle = throttleFor({ onBattery: true });
  expect(await waits(throttle.makeRoom(true, never))).toBeLessThan(50);
  await sleep(30);
  const rested = await waits(throttle.makeRoom(true, never));
  expect(rested).toBeGreaterThan(80);
  expect(rested).toBeLessThan(180);
  await sleep(300);
  expect(await waits(throttle.makeRoom(true, never))).toBeLessThan(300);
  expect(throttle.isGentle()).toBe(true);
});

test("ends with its signal", async () => {
  const gone = new AbortController();
  const waiting = throttleFor({ isSyncing: true }).makeRoom(false, gone.signal);
  gone.abort();
  await expect(waiting).rejects.toThrow("abort");
});
