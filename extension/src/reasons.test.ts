import { expect, test } from "vitest";
import { useTranslations } from "./l10n.ts";
import { reasonWords, silenceOf, stepWords } from "./reasons.ts";

test.each([
  ["a completion", "x", "ok", undefined],
  ["a secret", "", "secret", "it looked like a key or a password"],
  ["an engine that is spared", "", "overloaded", "the model cannot keep up right now"],
  ["nothing without a reason", "", "ok", "the model had nothing to add"],
  ["a reason that a newer server has", "", "bad-luck_today", "bad luck today"],
  ["a request that a newer one replaced", "", "superseded", undefined],
])("%s explains itself", (_, completion, reason, expected) => {
  expect(silenceOf({ completion, reason })).toBe(expected);
});

test("words are the translator's", () => {
  useTranslations((words) => words.toUpperCase());
  expect([reasonWords("deadline"), stepWords("full")]).toEqual(["IT TOOK TOO LONG", "ALL THAT IS ASKED FOR"]);
});
