import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { moments, watchFigures } from "./live-figures.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

let completions = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.stubGlobal("document", { hidden: false, addEventListener() {} });
  vi.stubGlobal("fetch", async () => {
    const count = completions++;
    return new Response(`dhi_hop_seconds_bucket{hop="total",le="+Inf"} ${count}\n`);
  });
});
afterEach(() => vi.useRealTimers());

test("moments follow each other, and what came while nobody looked is none", async () => {
  const stop = watchFigures();
  await vi.advanceTimersByTimeAsync(6_500);
  expect(moments.value.map(({ requests }) => requests)).toEqual([1, 1]);
  stop();
  completions = 500;
  await vi.advanceTimersByTimeAsync(3_600_000);
  const stopAgain = watchFigures();
  await vi.advanceTimersByTimeAsync(3_500);
  expect(moments.value.map(({ requests }) => requests)).toEqual([1]);
  stopAgain();
});
