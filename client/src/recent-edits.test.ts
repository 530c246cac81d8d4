import { expect, test } from "vitest";
import { createRecentEdits, type LineChange } from "./recent-edits.ts";

function after(...changes: (Partial<LineChange> & { at?: number })[]) {
  const edits = createRecentEdits();
  for (const { at = 0, ...change } of changes)
    edits.changed({ path: "a.ts", startLine: 9, endLine: 9, addedLines: 0, ...change }, at);
  return (nowMs = 0) =>
    edits.list(nowMs).map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`);
}

test.each<[string, Partial<LineChange>[], string[]]>([
  ["a keystroke is its line", [{}], ["a.ts:10-10"]],
  ["new lines belong to the edit", [{ addedLines: 2 }], ["a.ts:10-12"]],
  ["deleted lines do not", [{ endLine: 12 }], ["a.ts:10-10"]],
  ["edits near each other are one", [{}, { startLine: 12, endLine: 12 }], ["a.ts:10-13"]],
  [
    "an edit inside another grows it",
    [{ addedLines: 5 }, { startLine: 11, endLine: 11, addedLines: 1 }],
    ["a.ts:10-16"],
  ],
  [
    "the newest is first",
    [{}, { path: "b.ts" }, { startLine: 50, endLine: 50 }],
    ["a.ts:51-51", "b.ts:10-10", "a.ts:10-10"],
  ],
  [
    "lines below a change move",
    [{ startLine: 50, endLine: 50 }, { addedLines: 3 }],
    ["a.ts:10-13", "a.ts:54-54"],
  ],
  [
    "lines above a change stay",
    [{}, { startLine: 50, endLine: 50, addedLines: 3 }],
    ["a.ts:51-54", "a.ts:10-10"],
  ],
  [
    "lines of other files stay",
    [{ path: "b.ts", startLine: 50, endLine: 50 }, { addedLines: 3 }],
    ["a.ts:10-13", "b.ts:51-51"],
  ],
])("%s", (_, changes, expected) => {
  expect(after(...changes)()).toEqual(expected);
});

test("at most twenty are kept, for five minutes", () => {
  const list = after(...Array.from({ length: 25 }, (_, i) => ({ path: `${i}.ts`, at: i * 1_000 })));
  expect([list(25_000).length, list(25_000)[0]]).toEqual([20, "24.ts:10-10"]);
  expect(list(300_000 + 23_000)).toEqual(["24.ts:10-10", "23.ts:10-10"]);
});
