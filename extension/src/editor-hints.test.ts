import { expect, test } from "vitest";
import { createEditorHints } from "./editor-hints.ts";
import type { Located } from "./locate-file.ts";

const line = (startLine: number) => ({ startLine, endLine: startLine, addedLines: 0 });
/** Of `file:a.ts`, or of `other:a.ts` in another workspace. */
function placeOf(file: string): Located {
  const [scheme, path = ""] = file.split(/:(.*)/);
  return scheme === "file" ? { path } : { workspace: "other", path };
}

test("open files are those of the workspace, last used first, without the one at hand", () => {
  const { used, closed, hints } = createEditorHints();
  for (const path of ["a.ts", "b.ts", "c.ts", "d.ts", "a.ts"]) used(`file:${path}`);
  used("other:o.ts");
  closed("file:d.ts");
  expect(hints({ path: "c.ts" }, placeOf, 0).openFiles).toEqual(["a.ts", "b.ts"]);
  expect(hints({ workspace: "other", path: "x.ts" }, placeOf, 0).openFiles).toEqual(["o.ts"]);
});

test("no more than twenty files are told", () => {
  const { used, hints } = createEditorHints();
  for (let i = 0; i < 30; i++) used(`file:${i}.ts`);
  expect(hints({ path: "a.ts" }, placeOf, 0).openFiles).toHaveLength(20);
  expect(hints({ path: "29.ts" }, placeOf, 0).openFiles).toHaveLength(20);
});

test("edits are those of the workspace, the file at hand included", () => {
  const { edited, hints } = createEditorHints();
  edited("file:a:b.ts", line(4), 0);
  edited("other:o.ts", line(1), 0);
  edited("file:c.ts", line(9), 0);
  expect(hints({ path: "c.ts" }, placeOf, 0).recentEdits).toEqual([
    { path: "c.ts", startLine: 10, endLine: 10 },
    { path: "a:b.ts", startLine: 5, endLine: 5 },
  ]);
});

test("what may not be sent any more is not told", () => {
  const { used, edited, hints } = createEditorHints();
  used("file:a.ts");
  edited("file:a.ts", line(1), 0);
  expect(hints({ path: "b.ts" }, () => undefined, 0)).toEqual({ openFiles: [], recentEdits: [] });
});

test("a file is told where it is by now", () => {
  const { used, hints } = createEditorHints();
  used("file:a.ts");
  expect(hints({ path: "b.ts" }, () => ({ path: "lib/a.ts" }), 0).openFiles).toEqual(["lib/a.ts"]);
});
