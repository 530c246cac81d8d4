import { beforeEach, expect, test } from "vitest";
import type { Engine } from "../engines/engine.ts";
import { deferred } from "../testing/deferred.ts";
import { createWarmUps, type WarmUps } from "./warm-ups.ts";

let clock: number;
let used: { running: number; usedAt: number };
let loads: (() => void)[];
let warmUps: WarmUps;
const engine: Engine = {
  ...{ name: "ollama", model: "fake", readsPrompt: true },
  generate: () => Promise.reject(new Error("nobody asked")),
  health: async () => ({ status: "ok", detail: "fake" }),
  warmUp() {
    const { promise, resolve } = deferred<void>();
    loads.push(() => resolve());
    return promise;
  },
};
beforeEach(() => {
  clock = 0;
  used = { running: 0, usedAt: Number.NEGATIVE_INFINITY };
  loads = [];
  warmUps = createWarmUps({ queue: () => used, now: () => clock });
});

test("one at a time, and none for a minute after", async () => {
  const [first, second] = [warmUps.begin(engine), warmUps.begin(engine)];
  expect([first.state, second.state, loads.length]).toEqual(["warming", "warming", 1]);
  loads[0]?.();
  await Promise.all([first.done, second.done]);
  clock = 59_999;
  expect(warmUps.begin(engine).state).toBe("warm");
  clock = 60_000;
  expect(warmUps.begin(engine).state).toBe("warming");
  expect(loads).toHaveLength(2);
});

test("none for an engine that was used within a minute, or is being used", () => {
  used = { running: 0, usedAt: -59_999 };
  expect(warmUps.begin(engine).state).toBe("warm");
  used = { running: 1, usedAt: -600_000 };
  expect(warmUps.begin(engine).state).toBe("warm");
  expect(loads).toEqual([]);
});

test("none where no model answers", () => {
  expect(warmUps.begin({ ...engine, readsPrompt: false }).state).toBe("off");
  expect(loads).toEqual([]);
});
