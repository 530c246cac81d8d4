import type { FilesResponse } from "@dhi/core/files-protocol";
import { expect, test } from "vitest";
import { foldersAbove, treeKey, treeRows } from "./tree-rows.ts";

const folder = (folders: string[], files: string[], more = false): FilesResponse => ({
  folders,
  files: files.map((path) => ({ path, language: "python", bytes: 1 })),
  more,
});
const folders = new Map([
  ["", folder(["shop"], ["README.md"])],
  ["shop", folder(["shop/api"], ["shop/orders.py"], true)],
]);
const rowsWith = (...open: string[]) => treeRows(folders, new Set(open));
const render = (...open: string[]) =>
  rowsWith(...open).map(({ kind, path, level, position, siblings }) =>
    [`${"  ".repeat(level - 1)}${kind === "more" ? "…" : path}`, `${position}/${siblings}`].join(" "),
  );

test("folders stand before files, and an open one has its rows below it", () => {
  expect(render()).toEqual(["shop 1/2", "README.md 2/2"]);
  expect(render("shop")).toEqual([
    "shop 1/2",
    "  shop/api 1/3",
    "  shop/orders.py 2/3",
    "  … 3/3",
    "README.md 2/2",
  ]);
});

test("a folder whose entries have not come yet has no rows", () => {
  expect(render("shop", "shop/api")).toEqual(render("shop"));
  expect(treeRows(new Map(), new Set())).toEqual([]);
});

test("the folders above a file are those that have to be open to see it", () => {
  expect(foldersAbove("shop/api/v1/a.py")).toEqual(["shop", "shop/api", "shop/api/v1"]);
  expect(foldersAbove("README.md")).toEqual([]);
});

test("no two rows have the same path, by which the keyboard knows where it is", () => {
  const paths = rowsWith("shop").map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

test.each([
  ["ArrowDown", 0, { go: 1 }],
  ["ArrowDown", 4, { go: 4 }],
  ["ArrowUp", 0, { go: 0 }],
  ["End", 1, { go: 4 }],
  ["Home", 3, { go: 0 }],
  ["ArrowRight", 0, { go: 1 }],
  ["ArrowRight", 1, { toggle: "shop/api" }],
  ["ArrowRight", 2, undefined],
  ["ArrowLeft", 0, { toggle: "shop" }],
  ["ArrowLeft", 2, { go: 0 }],
  ["ArrowLeft", 3, { go: 0 }],
  ["ArrowLeft", 4, undefined],
  ["x", 0, undefined],
])("%s in row %d: %o", (key, at, expected) => {
  expect(treeKey(key, rowsWith("shop"), at)).toEqual(expected);
});
