import { expect, test } from "vitest";
import { inTurns, type Search } from "./search-steps.ts";

/** Counts its steps, each of which keeps the process busy for a millisecond. */
function* counting(steps: number): Search<number> {
  for (let done = 0; done < steps; done++) {
    if (yield) return done;
    for (const end = performance.now() + 1; performance.now() < end; );
  }
  return steps;
}

test("a search that is in time comes to its end", async () => {
  expect(await inTurns(counting(3), 10_000)).toBe(3);
});

test("when its time is up, it returns what it has found", async () => {
  expect(await inTurns(counting(1_000), 20)).toBeLessThan(1_000);
});

test("others have their turn meanwhile, and may end it", async () => {
  let turns = 0;
  const other = setInterval(() => turns++);
  expect(await inTurns(counting(1_000), 10_000, () => turns < 3)).toBeLessThan(1_000);
  clearInterval(other);
  expect(turns).toBeGreaterThanOrEqual(3);
});
