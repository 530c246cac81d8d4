import { expect, test } from "vitest";
import { fileOf } from "./ghost-text-place.ts";

test.each([
  ["a file is itself", "file", "/code/shop/a.py", "/code/shop/a.py"],
  ["a cell is its notebook", "vscode-notebook-cell", "/code/shop/a.ipynb", "/code/shop/a.ipynb"],
  ["a new file lies in the first folder", "untitled", "Untitled-1", "/code/shop/Untitled-1"],
  ["a new file with a name lies where it will be saved", "untitled", "/code/other/b.py", "/code/other/b.py"],
  ["the input of source control", "vscode-scm", "/scm0/input", undefined],
  ["an output pane", "output", "/extension-output", undefined],
  ["a comment", "comment", "/comment-0.md", undefined],
  ["the editor's own settings", "vscode-userdata", "/User/settings.json", undefined],
  ["the old side of a diff", "git", "/code/shop/a.py", undefined],
  ["a file of a virtual file system", "vscode-vfs", "/github/a/b/c.py", undefined],
])("%s", (_, scheme, path, expected) => {
  expect(fileOf({ scheme, path, fsPath: path }, "/code/shop/")).toBe(expected);
});

test("a new file belongs nowhere when no folder is open", () => {
  expect(fileOf({ scheme: "untitled", path: "Untitled-1", fsPath: "Untitled-1" }, undefined)).toBeUndefined();
});
