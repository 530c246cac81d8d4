import { expect, test } from "vitest";
import { createEditorHints } from "./editor-hints.ts";

const line = (startLine: number) => ({ startLine, endLine: startLine, addedLines: 0 });
const always = () => true;

test("open files are those of the workspace, last used first, without the one at hand", () => {
  const { used, closed, hints } = createEditorHints();
  for (const path of ["a.ts", "b.ts", "c.ts", "d.ts", "a.ts"]) used({ path });
  used({ workspace: "other", path: "o.ts" });
  closed({ path: "d.ts" });
  expect(hints({ path: "c.ts" }, always, 0).openFiles).toEqual(["a.ts", "b.ts"]);
  expect(hints({ workspace: "other", path: "x.ts" }, always, 0).openFiles).toEqual(["o.ts"]);
});

test("no more than twenty files are told", () => {
  const { used, hints } = createEditorHints();
  for (let i = 0; i < 30; i++) used({ path: `${i}.ts` });
  expect(hints({ path: "a.ts" }, always, 0).openFiles).toHaveLength(20);
  expect(hints({ path: "29.ts" }, always, 0).openFiles).toHaveLength(20);
});

test("edits are those of the workspace, the file at hand included", () => {
  const { edited, hints } = createEditorHints();
  edited({ path: "a:b.ts" }, line(4), 0);
  edited({ workspace: "other", path: "o.ts" }, line(1), 0);
  edited({ path: "c.ts" }, line(9), 0);
  expect(hints({ path: "c.ts" }, always, 0).recentEdits).toEqual([
    { path: "c.ts", startLine: 10, endLine: 10 },
    { path: "a:b.ts", startLine: 5, endLine: 5 },
  ]);
});

test("what may not be sent any more is not told", () => {
  const { used, edited, hints } = createEditorHints();
  used({ path: "a.ts" });
  edited({ path: "a.ts" }, line(1), 0);
  expect(hints({ path: "b.ts" }, ({ path }) => path !== "a.ts", 0)).toEqual({
    openFiles: [],
    recentEdits: [],
  });
});
