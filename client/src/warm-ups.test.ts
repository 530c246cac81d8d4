import { expect, test } from "vitest";
import { createWarmUps, type WarmUp } from "./warm-ups.ts";

function setUp(answer: () => Promise<unknown> = async () => {}) {
  const sent: WarmUp[] = [];
  const warmUps = createWarmUps((request) => {
    sent.push(request);
    return answer();
  });
  return { ...warmUps, paths: () => sent.map(({ path }) => path) };
}

const at = (path: string) => () => ({ path, languageId: "python" });

test("one a minute is sent", () => {
  const { wanted, paths } = setUp();
  wanted(at("a"), 0);
  wanted(at("b"), 59_999);
  wanted(at("c"), 60_000);
  expect(paths()).toEqual(["a", "c"]);
});

test("one that failed takes no turn", async () => {
  const { wanted, paths } = setUp(async () => {
    throw new Error("down");
  });
  wanted(at("a"), 0);
  await Promise.resolve();
  await Promise.resolve();
  wanted(at("b"), 1);
  expect(paths()).toEqual(["a", "b"]);
});

test("a place that nobody may ask about takes no turn", () => {
  const { wanted, paths } = setUp();
  wanted(() => undefined, 0);
  wanted(at("b"), 1);
  expect(paths()).toEqual(["b"]);
});
