import { expect, test } from "vitest";
import { createCachedTokens } from "./cached-tokens.ts";

const A = "a".repeat(4_000);
const B = "b".repeat(4_000);

test("says nothing before a new prompt has shown how fast this machine reads", () => {
  const cached = createCachedTokens();
  expect(cached.begin("short")(5, 100)).toBeNull();
  expect(cached.rate).toBeUndefined();
  expect(cached.begin(A)(1_000, 2_000)).toBe(0);
  expect(cached.rate).toBe(500);
});

test("takes what was not read in the time for cached", () => {
  const cached = createCachedTokens();
  cached.begin(A)(1_000, 2_000);
  expect(cached.begin(`${A}b`)(1_001, 100)).toBe(951);
});

test("never takes more for cached than the prompt shares with the last ones", () => {
  const cached = createCachedTokens();
  cached.begin(A)(1_000, 2_000);
  expect(cached.begin(`${A.slice(0, 2_000)}${B.slice(0, 2_000)}`)(1_000, 1)).toBe(500);
});

test("knows that an unloaded model has nothing cached, by the time it takes", () => {
  const cached = createCachedTokens();
  cached.begin(A)(1_000, 2_000);
  expect(cached.begin(A)(1_000, 2_100)).toBe(0);
});

test("counts what a prompt shares with one that nobody waited for", () => {
  const cached = createCachedTokens();
  cached.begin(A)(1_000, 2_000);
  cached.begin(B);
  expect(cached.begin(`${B}c`)(1_000, 20)).toBe(990);
});

test("follows a machine that slows down", () => {
  const cached = createCachedTokens();
  cached.begin(A)(1_000, 1_000);
  cached.begin(B)(1_000, 2_000);
  expect(cached.rate).toBe(750);
});
