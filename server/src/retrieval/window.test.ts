import { expect, test } from "vitest";
import { heaviestWindow } from "./window.ts";

const weights: Record<string, number> = { cart: 1, invoice: 3, total: 0.1 };
const window = (size: number, ...lines: string[]) =>
  heaviestWindow(
    lines.map((line) => line.split(" ").filter(Boolean)),
    (name) => weights[name] ?? 0,
    size,
  );

test("is where the heaviest names stand together", () => {
  expect(window(2, "cart", "", "", "cart", "invoice", "total")).toEqual({ start: 3, end: 5, weight: 4 });
});

test("a name counts once, however often it stands there", () => {
  expect(window(3, "total total total", "total", "", "", "", "cart")).toMatchObject({ start: 3, weight: 1 });
});

test("the first of equal ones counts", () => {
  expect(window(1, "", "cart", "cart")).toEqual({ start: 1, end: 2, weight: 1 });
});

test("a short text is its own window, also when nothing in it counts", () => {
  expect(window(9, "other", "words")).toEqual({ start: 0, end: 2, weight: 0 });
});
