import { expect, test } from "vitest";
import { editorPaths } from "./editor-paths.ts";

const shop = { name: "shop", roots: ["/work/shop", "/real/shop"] };

test("open files and edits are paths of the workspace; what lies outside is left out", () => {
  const paths = [
    "src/a.ts",
    "/work/shop/src/b.ts",
    "/real/shop/c.ts",
    "/etc/passwd",
    "../d.ts",
    "/work/shop",
    "git://e",
  ];
  const inside = ["src/a.ts", "src/b.ts", "c.ts"];
  const edit = (path: string) => ({ path, startLine: 1, endLine: 2 });
  expect(editorPaths(shop, { openFiles: paths, recentEdits: paths.map(edit) })).toEqual({
    openFiles: inside,
    recentEdits: inside.map(edit),
  });
});

test("an editor that says nothing of them has said nothing", () => {
  expect(editorPaths(shop, {})).toEqual({});
});
