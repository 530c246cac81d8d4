import { expect, test } from "vitest";
import { ago, duration, many, percent, rate, size } from "./format.ts";
import { searchText } from "./search-text.ts";
import { skipWords } from "./skip-words.ts";

test.each([
  [0, "0 ms"],
  [0.04, "0.1 ms"],
  [12.4, "12 ms"],
  [1_340, "1.3 s"],
  [30_000, "30 s"],
  [125_000, "2 min"],
  [5_400_000, "1.5 h"],
])("%d milliseconds read as %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});

test("a time reads by how long it is ago, and from a day on by its date", () => {
  const now = Date.parse("2026-01-03T12:00:00Z");
  const at = (iso: string) => ago(iso, now);
  expect(at("2026-01-03T11:59:59Z")).toBe("now");
  expect(at("2026-01-03T11:59:20Z")).toBe("40 s ago");
  expect(at("2026-01-03T11:30:00Z")).toBe("30 min ago");
  expect(at("2026-01-01T12:00:00Z")).toBe("2026-01-01");
});

test("sizes, shares and counts read without more digits than matter", () => {
  expect([0, 999, 1_500, 25_000, 3_200_000_000].map(size)).toEqual([
    "0 B",
    "999 B",
    "1.5 kB",
    "25 kB",
    "3.2 GB",
  ]);
  expect([0, 0.004, 0.5, 1].map(percent)).toEqual(["0 %", "0.4 %", "50 %", "100 %"]);
  expect([0.42, 12.3, 1_340.4].map(rate)).toEqual(["0.4", "12", "1,340"]);
  expect([many(1, "file"), many(1_200, "file"), many(2, "entry", "entries")]).toEqual([
    "1 file",
    "1,200 files",
    "2 entries",
  ]);
});

test("a reason to leave a file out that is not known here is still read", () => {
  expect(["secret", "brand-new"].map(skipWords)).toEqual(["may hold a secret", "brand new"]);
});

test("a path that is too long to look for is looked for by its end", () => {
  expect(searchText(`${"folder/".repeat(40)}a.py `)).toMatch(/^.{195}\/a\.py$/);
  expect(["  a ", "  "].map(searchText)).toEqual(["a", undefined]);
});
