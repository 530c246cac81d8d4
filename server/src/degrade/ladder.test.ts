import { beforeEach, expect, test } from "vitest";
import { createLadder, type Ladder } from "./ladder.ts";

let clock: number;
let waiting: number;
let steps: string[];
let ladder: Ladder;
beforeEach(() => {
  clock = 0;
  waiting = 0;
  steps = [];
  ladder = createLadder({
    now: () => clock,
    waiting: () => waiting,
    onStep: (step, detail) => steps.push(`${step}: ${detail}`),
  });
});
const answer = (ms: number, times = 5) => {
  for (let i = 0; i < times; i++) ladder.answered(ms);
};

test("asks for everything while the engine is fast enough", () => {
  answer(1_000, 50);
  expect(ladder.step()).toEqual({ step: "full", isTrial: false });
  expect(steps).toEqual([]);
});

test("asks for less, step by step, as long as the engine is slow", () => {
  for (let i = 0; i < 4; i++) answer(3_000);
  expect(steps).toEqual([
    "short-prompt: first text after 3000 ms",
    "one-line: first text after 3000 ms",
    "slow-typing: first text after 3000 ms",
    "instant: first text after 3000 ms",
  ]);
});

test("one slow call changes nothing", () => {
  answer(100, 4);
  answer(60_000, 1);
  answer(100, 4);
  expect(ladder.now).toBe("full");
});

test("goes up again one step at a time, once it has been fast for a while", () => {
  answer(3_000);
  answer(3_000);
  expect(ladder.now).toBe("one-line");
  answer(100, 20);
  expect(ladder.now).toBe("one-line");
  clock += 10_000;
  answer(100, 20);
  expect(ladder.now).toBe("short-prompt");
  clock += 10_000;
  answer(100);
  expect(ladder.now).toBe("full");
});

test("stays where it is between fast and slow", () => {
  answer(3_000);
  clock += 60_000;
  answer(800, 20);
  expect(ladder.now).toBe("short-prompt");
});

test("leaves an engine alone that fails, and tries it now and then", () => {
  for (let i = 0; i < 3; i++) ladder.failed();
  expect(steps).toEqual(["instant: 3 of the last 3 calls failed"]);
  expect(ladder.step()).toEqual({ step: "instant", isTrial: false });
  clock += 10_000;
  expect(ladder.step()).toEqual({ step: "slow-typing", isTrial: true });
  expect(ladder.step()).toEqual({ step: "instant", isTrial: false });
  ladder.failed();
  expect(ladder.now).toBe("instant");
  clock += 10_000;
  expect(ladder.step().isTrial).toBe(true);
  ladder.answered(400);
  expect(ladder.step()).toEqual({ step: "slow-typing", isTrial: false });
});

test("a call that was given up counts when it had been slow by then", () => {
  for (let i = 0; i < 10; i++) ladder.gaveUp(200);
  expect(ladder.now).toBe("full");
  for (let i = 0; i < 5; i++) ladder.gaveUp(2_000);
  expect(ladder.now).toBe("short-prompt");
});

test("skips while too many wait", () => {
  waiting = 64;
  expect(ladder.step().step).toBe("skip");
  waiting = 63;
  expect(ladder.step().step).toBe("full");
});
