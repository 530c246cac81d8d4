import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

const cursor = { settingMs: null, isManual: false, isFreshLine: false };

/** Somebody who types every 200 ms and gets answers in 50. */
function used() {
  const pace = createPace();
  for (let at = 0; at <= 1_000; at += 200) pace.typed(at);
  pace.heard(50);
  pace.heard(50);
  return pace;
}

test("waits the base time before anything is known", () => {
  expect(createPace().waitMs(cursor, 5)).toBe(75);
});

test("counts the time that the editor has waited already", () => {
  const pace = used();
  expect([pace.waitMs(cursor, 1_000), pace.waitMs(cursor, 1_060), pace.waitMs(cursor, 9_000)]).toEqual([
    150, 90, 0,
  ]);
});

test("takes what one key changes at several cursors for one key", () => {
  const pace = used();
  for (let at = 1_200; at <= 5_000; at += 200) for (const cursorAt of [at, at, at]) pace.typed(cursorAt);
  expect(pace.waitMs(cursor, 5_000)).toBe(150);
});

test("does not wait after an accept, until the next key", () => {
  const pace = used();
  pace.accepted();
  expect(pace.waitMs(cursor, 1_000)).toBe(0);
  pace.typed(1_200);
  expect(pace.waitMs(cursor, 1_200)).toBe(150);
});

test("does not wait in a fresh line", () => {
  expect(used().waitMs({ ...cursor, isFreshLine: true }, 1_000)).toBe(0);
});

test("waits as long as the server wants, until it does not mind any more", () => {
  const pace = used();
  pace.serverWants(400);
  expect(pace.waitMs(cursor, 1_000)).toBe(400);
  pace.serverWants(null);
  expect(pace.waitMs(cursor, 1_000)).toBe(150);
});
