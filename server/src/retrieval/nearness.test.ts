import { expect, test } from "vitest";
import { nearness } from "./nearness.ts";

test("the nearest name counts 1, the others less and less; upper and lower case are one name", () => {
  expect([...nearness({ names: ["cart", "Invoice", "invoice", "send"] })]).toEqual([
    ["cart", 1],
    ["invoice", 1 / 2],
    ["send", 1 / 4],
  ]);
  expect([...nearness({ names: ["a", "b", "c"] }, 2)]).toEqual([
    ["a", 1],
    ["b", 2 / 3],
    ["c", 1 / 2],
  ]);
});
