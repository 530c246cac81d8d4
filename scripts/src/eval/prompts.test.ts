import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CURSORS, cutShown } from "./prompts.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test.each(CURSORS)("$path still has the line that the report shows", (cursor) => {
  const { prefix, continuation, suffix } = cutShown(root, cursor);
  expect(prefix.endsWith(cursor.line.split("█")[0] ?? "")).toBe(true);
  expect([continuation.length > 0, suffix.startsWith("\n")]).toEqual([true, true]);
});

test("a line that is gone is told", () => {
  expect(() => cutShown(root, { path: "LICENSE", line: "no such █line", openFiles: [] })).toThrow(
    'LICENSE does not have the line "no such █line" once',
  );
});
