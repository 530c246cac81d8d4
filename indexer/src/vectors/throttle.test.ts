import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createThrottle, type Demand } from "./throttle.ts";

const never = new AbortController().signal;
const limits = { syncFirstMs: 120, completionsFirstMs: 120, batteryRestMostMs: 200 };
/** For who must not wait so long: a busy machine may hold anybody up for a tenth of a second. */
const long = { syncFirstMs: 10_000, completionsFirstMs: 10_000, batteryRestMostMs: 10_000 };
const SOON_MS = 2_000;

const backlog = () => true;
const aSave = () => false;

const throttleFor = (demand: Partial<Record<keyof Demand, boolean>>, within = limits) =>
  createThrottle(
    {
      isSyncing: () => demand.isSyncing ?? false,
      isCompleting: () => demand.isCompleting ?? false,
      onBattery: () => demand.onBattery ?? false,
    },
    within,
  );

/** @returns milliseconds until it settles */
async function waits(work: Promise<void>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

test("waits for nobody when nobody wants anything", async () => {
  const throttle = throttleFor({}, long);
  expect(await waits(throttle.makeRoom(backlog, never))).toBeLessThan(SOON_MS);
  expect(throttle.isGentle()).toBe(false);
});

test("a sync goes first, and not for ever", async () => {
  expect(await waits(throttleFor({ isSyncing: true }).makeRoom(aSave, never))).toBeGreaterThan(115);
});

test("a backlog waits for completions, and not for ever; a save's few texts do not wait", async () => {
  expect(await waits(throttleFor({ isCompleting: true }, long).makeRoom(aSave, never))).toBeLessThan(SOON_MS);
  const throttle = throttleFor({ isCompleting: true });
  expect(await waits(throttle.makeRoom(backlog, never))).toBeGreaterThan(115);
  expect(throttle.isGentle()).toBe(true);
});

test("goes on as soon as the completion is over", async () => {
  const demand = { isCompleting: true };
  const throttle = throttleFor(demand, long);
  setTimeout(() => (demand.isCompleting = false), 20);
  expect(await waits(throttle.makeRoom(backlog, never))).toBeLessThan(SOON_MS);
});

test("on a battery a backlog rests three times as long as it works, and not for ever", async () => {
  const throttle = throttleFor({ onBattery: true });
  await throttle.makeRoom(backlog, never);
  await sleep(30);
  const rested = await waits(throttle.makeRoom(backlog, never));
  expect(rested).toBeGreaterThan(80);
  // The most that a rest takes is less than three times this.
  await sleep(400);
  expect(await waits(throttle.makeRoom(backlog, never))).toBeLessThan(3 * 400);
  expect(throttle.isGentle()).toBe(true);
});

test("a save that comes meanwhile goes ahead", async () => {
  const throttle = throttleFor({ isCompleting: true, onBattery: true }, long);
  let isBacklog = true;
  setTimeout(() => (isBacklog = false), 20);
  expect(await waits(throttle.makeRoom(() => isBacklog, never))).toBeLessThan(SOON_MS);
});

test("ends with its signal", async () => {
  const gone = new AbortController();
  const waiting = throttleFor({ isSyncing: true }).makeRoom(aSave, gone.signal);
  gone.abort();
  await expect(waiting).rejects.toThrow("abort");
});
