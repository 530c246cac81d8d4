import { expect, test } from "vitest";
import { createWarmUps, type WarmUp } from "./warm-ups.ts";

function setUp() {
  const sent: WarmUp[] = [];
  const warmUps = createWarmUps(async (request) => {
    sent.push(request);
    throw new Error("down");
  });
  return { ...warmUps, paths: () => sent.map(({ path }) => path) };
}

const at = (path: string) => () => ({ path, languageId: "python" });

test("one a minute is sent, whether it succeeds or not", () => {
  const { wanted, paths } = setUp();
  wanted(at("a"), 0);
  wanted(at("b"), 59_999);
  wanted(at("c"), 60_000);
  expect(paths()).toEqual(["a", "c"]);
});

test("a place that nobody may ask about takes no turn", () => {
  const { wanted, paths } = setUp();
  wanted(() => undefined, 0);
  wanted(at("b"), 1);
  expect(paths()).toEqual(["b"]);
});
