import { degradeStep, dropReason } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import { reasonWords, silenceOf, stepWords } from "./reasons.ts";

test("every reason of the protocol has words of its own", () => {
  expect(
    Object.fromEntries(dropReason.options.map((reason) => [reason, reasonWords(reason)])),
  ).toMatchInlineSnapshot(`
      {
        "blank": "the model had none",
        "indentation": "no block here is indented like it",
        "low-confidence": "the model was not sure enough",
        "multi-line": "it would only start on the next line",
        "prompt-text": "it only repeated the prompt",
        "prose": "it talked about the code instead of writing it",
        "repeats-suffix": "the code after the cursor says it already",
        "repeats-usual": "the model had no other",
        "repetition": "it only repeated what is there",
        "secret": "it looked like a key or password",
        "too-short": "it was one closing mark",
        "unbalanced": "its brackets or quotes would break the code around it",
      }
    `);
});

test("every step that spares an engine has words", () => {
  expect(degradeStep.options.map(stepWords).filter((words) => words.length > 10)).toHaveLength(
    degradeStep.options.length,
  );
});

test("a step that a newer server has is told as it is", () => {
  expect(stepWords("half-speed")).toBe("half speed");
});

test.each([
  ["a completion", "x", "ok", undefined],
  ["a secret", "", "secret", "it looked like a key or password"],
  ["an engine that is spared", "", "overloaded", "the model cannot keep up right now"],
  ["nothing without a reason", "", "ok", "the model had none"],
  ["a reason that a newer server has", "", "bad-luck_today", "bad luck today"],
  ["a request that a newer one replaced", "", "superseded", undefined],
])("%s explains itself", (_, completion, reason, expected) => {
  expect(silenceOf({ completion, reason })).toBe(expected);
});
