import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Batch, type Changes, createBatch } from "./batch.ts";

let seen: Changes[];
let held: boolean;
let ahead: (readonly string[])[];
let batch: Batch;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  seen = [];
  held = false;
  ahead = [];
  batch = createBatch({
    ...{ onChanges: (changes) => seen.push(changes), isHeld: () => held },
    onHeld: (paths) => ahead.push(paths),
  });
});
afterEach(() => vi.useRealTimers());

const only = (...paths: string[]): Changes => ({ paths, everything: false, newFolders: false });

test("waits until a save is over, and tells each path once", () => {
  batch.add("a", false, false);
  vi.advanceTimersByTime(9);
  batch.add("b", false, false);
  batch.add("a", false, false);
  vi.advanceTimersByTime(9);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([only("a", "b")]);
});

test("waits longer for the end of what touches more than a save does", () => {
  const paths = ["a", "b", "c", "d", "e"];
  for (const path of paths) batch.add(path, false, false);
  vi.advanceTimersByTime(99);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([only(...paths)]);
});

test("waits only a little when git, or a rule, had its say", () => {
  for (const path of ["a", "b", "c", "d", "e"]) batch.add(path, false, false);
  vi.advanceTimersByTime(90);
  batch.add("", true, false);
  vi.advanceTimersByTime(39);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([{ paths: ["a", "b", "c", "d", "e", ""], everything: true, newFolders: false }]);
});

test("does not wait for quiet that never comes", () => {
  for (let i = 0; i < 225; i++) {
    batch.add("a", false, false);
    vi.advanceTimersByTime(9);
  }
  expect(seen).toEqual([only("a"), only("a")]);
});

test("tells of everything and of new folders when one event did, and forgets it for the next batch", () => {
  batch.add("", true, false);
  batch.add("d", false, true);
  vi.advanceTimersByTime(100);
  batch.add("a", false, false);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual([{ paths: ["", "d"], everything: true, newFolders: true }, only("a")]);
});

test("keeps all back while it is held", () => {
  held = true;
  batch.add("a", false, false);
  vi.advanceTimersByTime(5_000);
  batch.add("b", false, false);
  vi.advanceTimersByTime(5_000);
  expect(seen).toEqual([]);
  held = false;
  vi.advanceTimersByTime(20);
  expect(seen).toEqual([only("a", "b")]);
});

test("tells what is held back as it comes, once it is more than a save", () => {
  const add = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      batch.add(`f${i}`, false, false);
      vi.advanceTimersByTime(5);
    }
  };
  add(0, 6);
  expect(ahead).toEqual([]);
  held = true;
  add(6, 15);
  expect(ahead).toEqual([
    ["f5", "f6", "f7", "f8", "f9"],
    ["f10", "f11", "f12", "f13", "f14"],
  ]);
  vi.advanceTimersByTime(500);
  batch.add("f15", false, false);
  batch.add("", true, false);
  expect(ahead).toHaveLength(2);
  held = false;
  vi.advanceTimersByTime(60);
  expect(ahead[2]).toEqual(["f15"]);
  expect(seen).toHaveLength(1);
});

test("drops what is gathered when it is closed", () => {
  batch.add("a", false, false);
  batch.close();
  vi.advanceTimersByTime(5_000);
  expect(seen).toEqual([]);
});
