import { expect, test } from "vitest";
import { createFileUses } from "./file-uses.ts";

const usesOf = (...paths: string[]) => {
  const uses = createFileUses(3);
  for (const path of paths) uses.note(path);
  return uses;
};

test("the last use counts, and more than so many are forgotten", () => {
  const uses = usesOf("a", "b", "c", "a", "d");
  expect([uses.newestFirst(), uses.has("b")]).toEqual([["d", "a", "c"], false]);
});

test("each file is new once", () => {
  const uses = usesOf("a", "b", "a");
  expect(uses.takeNew()).toEqual(["a", "b"]);
  uses.note("a");
  uses.note("c");
  expect(uses.takeNew()).toEqual(["c"]);
});

test("the oldest of those that are meant goes, and none that was used later than the file at hand", () => {
  const uses = usesOf("a", "b", "c");
  const isMeant = (path: string) => path !== "a";
  expect([uses.forgetOldest("c", isMeant), uses.forgetOldest("c", isMeant), uses.newestFirst()]).toEqual([
    "b",
    undefined,
    ["c", "a"],
  ]);
});
