import { expect, test } from "vitest";
import { createRestartDelay } from "./restart-delay.ts";

test("what ends again and again is started ever less often, and at once again after it has lived", () => {
  const delay = createRestartDelay(5_000);
  expect(Array.from({ length: 8 }, () => delay(900))).toEqual([
    ...[5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000],
  ]);
  expect([delay(300_001), delay(900)]).toEqual([5_000, 10_000]);
});
