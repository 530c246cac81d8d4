import { expect, test } from "vitest";
import { type DebounceFacts, debounceMs } from "./debounce.ts";
import { createTypingRhythm } from "./typing-rhythm.ts";

const facts: DebounceFacts = {
  settingMs: null,
  gapMs: undefined,
  answerMs: undefined,
  serverMs: null,
  isManual: false,
  isNaturalPause: false,
};

test.each<[string, Partial<DebounceFacts>, number]>([
  ["is 75 ms while nothing is known", {}, 75],
  ["is 75 ms while no answer was measured", { gapMs: 200 }, 75],
  ["is what is left of the gap once the answer's time is taken off", { gapMs: 180, answerMs: 40 }, 140],
  ["is 25 ms at least", { gapMs: 100, answerMs: 600 }, 25],
  ["is 300 ms at most", { gapMs: 900, answerMs: 10 }, 300],
  ["is none at a natural pause", { gapMs: 200, answerMs: 10, isNaturalPause: true }, 0],
  ["is no less than the server asks for", { gapMs: 180, answerMs: 40, serverMs: 400 }, 400],
  ["is what the server asks for at a natural pause too", { serverMs: 400, isNaturalPause: true }, 400],
  ["is more than the server asks for", { gapMs: 180, answerMs: 40, serverMs: 90 }, 140],
  ["is the setting, whatever else is known", { settingMs: 10, gapMs: 180, answerMs: 40, serverMs: 400 }, 10],
  ["is none for what is asked by hand", { settingMs: 500, serverMs: 400, isManual: true }, 0],
])("%s", (_, known, expected) => {
  expect(debounceMs({ ...facts, ...known })).toBe(expected);
});

test("the rhythm is the median gap of a burst, pauses left out", () => {
  const rhythm = createTypingRhythm();
  const keys = [0, 100, 220, 340, 5_000, 5_110];
  for (const at of keys.slice(0, 4)) rhythm.keystroke(at);
  expect(rhythm.gapMs()).toBeUndefined();
  for (const at of keys.slice(4)) rhythm.keystroke(at);
  expect(rhythm.gapMs()).toBe(120);
  expect(rhythm.sinceMs(5_150)).toBe(40);
});

test("the rhythm follows who types faster now", () => {
  const rhythm = createTypingRhythm();
  for (let i = 0; i < 20; i++) rhythm.keystroke(i * 200);
  expect(rhythm.gapMs()).toBe(200);
  for (let i = 0; i < 12; i++) rhythm.keystroke(3_880 + i * 80);
  expect(rhythm.gapMs()).toBe(80);
});
