import { expect, test } from "vitest";
import { together } from "./last-drops.ts";

const drop = (at: string, path: string, reason: string) => ({ at, path, reason });

test("what is dropped again and again for one reason is one line, at its latest time", () => {
  const drops = [
    drop("5", "a.py", "blank"),
    drop("4", "a.py", "blank"),
    drop("3", "a.py", "prose"),
    drop("2", "b.py", "prose"),
    drop("1", "a.py", "blank"),
  ];
  expect(together(drops).map(({ at, times }) => [at, times])).toEqual([
    ["5", 2],
    ["3", 1],
    ["2", 1],
    ["1", 1],
  ]);
});
