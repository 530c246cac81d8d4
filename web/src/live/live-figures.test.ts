import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { moments, watchFigures } from "./live-figures.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

let completions = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.stubGlobal("document", { hidden: false, addEventListener() {} });
  vi.stubGlobal("fetch", async () => {
    const count = completions++;
    const buckets = ["0.1", "+Inf"].map((le) => `dhi_hop_seconds_bucket{hop="total",le="${le}"} ${count}`);
    return new Response(buckets.join("\n"));
  });
});
afterEach(() => vi.useRealTimers());

test("moments follow each other, and what came while nobody looked is none", async () => {
  const stop = watchFigures();
  await vi.advanceTimersByTimeAsync(6_500);
  const moment = { requests: 1, times: new Map([["total", { p50: 50, p95: 95 }]]) };
  expect(moments.value).toEqual([moment, moment]);
  stop();
  completions = 500;
  await vi.advanceTimersByTimeAsync(3_600_000);
  const stopAgain = watchFigures();
  await vi.advanceTimersByTimeAsync(3_500);
  expect(moments.value.map(({ requests }) => requests)).toEqual([1]);
  stopAgain();
});
