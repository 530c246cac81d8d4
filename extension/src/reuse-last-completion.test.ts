import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { remember, reuseLastCompletion, type ShownCompletion } from "./reuse-last-completion.ts";

const shownAt = (source: string, completion: string, path = "a.ts"): ShownCompletion => ({
  path,
  ...atCursor(source),
  completion,
});
const reuse = (shown: readonly ShownCompletion[], source: string, path = "a.ts") =>
  reuseLastCompletion(shown, { path, ...atCursor(source) });

test.each([
  ["is all of it where it was made", "x = █;", "total(a)", "x = █;", "total(a)"],
  ["shrinks as its text is typed", "x = █;", "total(a)", "x = tot█;", "al(a)"],
  ["grows again with backspace", "x = t█;", "otal(a)", "x = t█;", "otal(a)"],
  ["ends when backspace goes past where it was made", "x = t█;", "otal(a)", "x = █;", undefined],
  ["ends when something else is typed", "x = █;", "total(a)", "x = s█;", undefined],
  ["ends when all of it is typed", "x = █;", "total(a)", "x = total(a)█;", undefined],
  ["ends when the code behind the cursor changes", "x = █;", "total(a)", "x = tot█, y;", undefined],
  ["leaves out the bracket that the editor closed", "x = █;", "total(a)", "x = total(█);", "a"],
  ["leaves out several closed brackets", "x = █;", "f([a])", "x = f([█]);", "a"],
  ["leaves out a closed quote at the end of a file", "x = █", 'f("a")', 'x = f("█")', "a"],
  ["ends when the closed bracket is not its own end", "x = █;", "f(a) + 1", "x = f(█);", undefined],
  ["goes over a closing bracket that was typed over", "x = █;", "f(a) + 1", "x = f(a)█;", " + 1"],
  ["spans lines", "if x:█\n", "\n    a()\n    b()", "if x:\n    a█\n", "()\n    b()"],
])("%s", (_, made, completion, now, expected) => {
  expect(reuse([shownAt(made, completion)], now)).toBe(expected);
});

test("leaves out the closed bracket when the window behind the cursor is full", () => {
  const shown = { path: "a.ts", prefix: "x = ", suffix: ";0123456789", completion: "f(a)" };
  const now = { path: "a.ts", prefix: "x = f(", suffix: ");012345678" };
  expect(reuseLastCompletion([shown], now)).toBe("a");
  expect(reuseLastCompletion([shown], { ...now, suffix: ");01234" })).toBeUndefined();
});

test("is for its own file only", () => {
  expect(reuse([shownAt("x = █;", "y")], "x = █;", "b.ts")).toBeUndefined();
});

test("comes back after something else was typed and deleted", () => {
  const shown = remember([shownAt("x = █;", "total(a)")], shownAt("x = s█;", "um(a)"));
  expect(reuse(shown, "x = s█;")).toBe("um(a)");
  expect(reuse(shown, "x = █;")).toBe("total(a)");
});

test("forgets the oldest", () => {
  let shown: ShownCompletion[] = [];
  for (let i = 0; i < 9; i++) shown = remember(shown, shownAt(`${i}█`, "x"));
  expect([reuse(shown, "0█"), reuse(shown, "1█"), shown.length]).toEqual([undefined, "x", 8]);
});
