import { expect, test } from "vitest";
import { createLogprobs } from "./logprobs.ts";

const ofText = () => {
  const logprobs = createLogprobs();
  logprobs.add(5, [-1]);
  logprobs.add(6, []);
  logprobs.add(10, [-2, -4]);
  return logprobs;
};

test.each([
  ["of all tokens", 0, 10, -7 / 3],
  ["of the first piece", 0, 5, -1],
  ["of a piece that only begins in it", 0, 7, -7 / 3],
  ["of what comes after", 6, 10, -3],
])("is the mean %s", (_, from, to, mean) => {
  expect(ofText().mean(from, to)).toBeCloseTo(mean);
});

test("is unknown where the engine said nothing", () => {
  expect(ofText().mean(5, 6)).toBeNull();
  expect(ofText().mean(0, 0)).toBeNull();
});
