import { expect, test } from "vitest";
import { dropUnsure, MIN_MEAN_LOGPROB } from "./drop-unsure.ts";

const context = { request: { prefix: "", suffix: "" }, stop: [] };

test.each([
  ["less than the least is dropped", MIN_MEAN_LOGPROB - 0.1, undefined, { drop: "low-confidence" }],
  ["the least is shown", MIN_MEAN_LOGPROB, undefined, "a"],
  ["a model may have a least of its own", -1, -0.5, { drop: "low-confidence" }],
  ["an engine that does not tell is trusted", null, undefined, "a"],
])("%s", (_, meanLogprob, minMeanLogprob, expected) => {
  const given = { ...context, meanLogprob, ...(minMeanLogprob !== undefined && { minMeanLogprob }) };
  expect(dropUnsure("a", given)).toEqual(expected);
});

test("whoever asks by a key sees even a guess", () => {
  const request = { ...context.request, trigger: "manual" as const };
  expect(dropUnsure("a", { ...context, request, meanLogprob: -9 })).toBe("a");
});
