import { expect, test } from "vitest";
import { nameKey } from "./named-text.ts";
import type { Hit } from "./wanted-names.ts";
import { heaviestWindow } from "./window.ts";

const weights: Record<string, number> = { cart: 1, invoice: 3, total: 0.1 };
const window = (size: number, ...lines: string[]) =>
  heaviestWindow(lines.length, lines.flatMap(hitsOn), size);

const hitsOn = (names: string, line: number): Hit[] =>
  names
    .split(" ")
    .flatMap((name) => (weights[name] ? [{ line, key: nameKey(name), weight: weights[name] }] : []));

test("is where the heaviest names stand together", () => {
  expect(window(2, "cart", "", "", "cart", "invoice", "total")).toEqual({ start: 3, end: 5, weight: 4 });
});

test("a name counts once, however often it stands there", () => {
  expect(window(3, "total total total", "total", "", "", "", "cart")).toMatchObject({ start: 3, weight: 1 });
});

test("a name that stands there twice counts until both lines are left behind", () => {
  expect(window(3, "invoice", "cart", "", "cart", "", "invoice")).toEqual({ start: 0, end: 3, weight: 4 });
  expect(window(2, "cart cart", "", "cart", "invoice")).toEqual({ start: 2, end: 4, weight: 4 });
});

test("the first of equal ones counts", () => {
  expect(window(1, "", "cart", "cart")).toEqual({ start: 1, end: 2, weight: 1 });
});

test("a short text is its own window, also when nothing in it counts", () => {
  expect(window(9, "other", "words")).toEqual({ start: 0, end: 2, weight: 0 });
});
