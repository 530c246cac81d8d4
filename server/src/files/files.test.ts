import type { FilesRequest } from "@dhi/core/files-protocol";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { createWorkspaces, type Workspaces } from "../workspaces.ts";
import { contentsOf } from "./contents.ts";
import { listFiles } from "./list-files.ts";
import { readFile } from "./read-file.ts";

const FILES = [
  { path: "README.md", text: "# Shop\n", language: "markdown" },
  { path: "src/a.ts", text: "export const a = 1;\n", symbols: ["a"] },
  { path: "src/deep/er/b.ts", text: "export const b = 2;\n" },
  // Sorts between the folder src/deep and what lies in it.
  { path: "src/deep.ts", text: "" },
  { path: "src/old.ts", text: "old", gone: true },
  { path: "src2/Größe.ts", text: "export {};\n" },
];

let workspaces: Workspaces;
let stop: () => void;

beforeEach(() => {
  const home = tempDir();
  const db = seedIndex(home.dir, FILES);
  // A file that the indexer keeps out has a row, but is not live.
  db.prepare("INSERT INTO files VALUES ('.env', NULL, 'plaintext', 9, 0, 'secret')").run();
  const shop = {
    name: "shop",
    path: "/work/shop",
    roots: ["/work/shop"],
    index: { get: () => db, close() {} },
  };
  const bare = { ...shop, name: "bare", index: { get: () => undefined, close() {} } };
  // Only the index is read.
  workspaces = createWorkspaces([shop, bare] as never);
  stop = () => {
    db.close();
    home[Symbol.dispose]();
  };
});
afterEach(() => stop());

const list = (asked: Partial<FilesRequest>) => {
  const { folders, files, more } = listFiles({ workspace: "shop", under: "", ...asked }, workspaces);
  return { folders, files: files.map((f) => f.path), more };
};

test("the workspace lists its folders and files, and nothing that is skipped or gone", () => {
  expect(listFiles({ workspace: "shop", under: "" }, workspaces)).toEqual({
    folders: ["src", "src2"],
    files: [{ path: "README.md", language: "markdown", bytes: 7 }],
    more: false,
  });
});

test("a folder lists its own entries, each once", () => {
  expect(list({ under: "src" })).toEqual({
    folders: ["src/deep"],
    files: ["src/a.ts", "src/deep.ts"],
    more: false,
  });
  expect(list({ under: "src/deep/" })).toEqual({ folders: ["src/deep/er"], files: [], more: false });
});

test("a folder that is not there, and a workspace without an index, have nothing", () => {
  expect(list({ under: "lib" })).toEqual({ folders: [], files: [], more: false });
  expect(list({ workspace: "bare" })).toEqual({ folders: [], files: [], more: false });
});

test("files are found by a part of their path in any case, the shortest first, in a folder or everywhere", () => {
  expect(list({ match: "DEEP" })).toEqual({
    folders: [],
    files: ["src/deep.ts", "src/deep/er/b.ts"],
    more: false,
  });
  expect(list({ match: ".ts", under: "src2" }).files).toEqual(["src2/Größe.ts"]);
  // No patterns: they mean themselves.
  expect(list({ match: "%" }).files).toEqual([]);
  expect(list({ match: "env" }).files).toEqual([]);
});

test("a folder with more entries than an answer holds says so", () => {
  const home = tempDir();
  const db = seedIndex(home.dir, []);
  const insert = db.prepare("INSERT INTO live VALUES (?, 1, 'typescript', 0)");
  for (let i = 0; i < 2_001; i++) insert.run(`d/${i}.ts`);
  const index = { get: () => db, close() {} };
  const many = createWorkspaces([{ name: "many", roots: ["/work/many"], index }] as never);
  const { files, more } = listFiles({ under: "d" }, many);
  expect({ files: files.length, more }).toEqual({ files: 2_000, more: true });
  db.close();
  home[Symbol.dispose]();
});

test("a folder outside of the workspace is refused", () => {
  expect(() => list({ under: "../other" })).toThrow(expect.objectContaining({ code: "outside_workspace" }));
  expect(() => list({ under: "/etc" })).toThrow(expect.objectContaining({ code: "outside_workspace" }));
});

test("a file's text is what the index has, also under its absolute path", () => {
  const file = { path: "src/a.ts", language: "typescript", text: "export const a = 1;\n" };
  expect(readFile({ workspace: "shop", path: "src/a.ts" }, workspaces)).toEqual(file);
  expect(readFile({ workspace: "shop", path: "/work/shop/src/a.ts" }, workspaces)).toEqual(file);
});

test.each([
  ["a secret", ".env", "not_indexed"],
  ["a file that has gone", "src/old.ts", "not_indexed"],
  ["a folder", "src", "not_indexed"],
  ["what lies outside, by ..", "../../etc/passwd", "outside_workspace"],
  ["what lies outside, by an absolute path", "/etc/passwd", "outside_workspace"],
  ["what lies outside, behind a folder", "src/../../other.ts", "outside_workspace"],
  ["the workspace itself", ".", "not_a_file"],
])("%s cannot be read", (_, path, code) => {
  expect(() => readFile({ workspace: "shop", path }, workspaces)).toThrow(expect.objectContaining({ code }));
});

test("the index is summed up by language, without what is skipped or gone", () => {
  const { languages } = contentsOf({ workspace: "shop" }, workspaces);
  expect(languages).toEqual([
    { language: "typescript", files: 4, bytes: 51, chunks: 4, symbols: 1 },
    { language: "markdown", files: 1, bytes: 7, chunks: 1, symbols: 0 },
  ]);
});

test("what changed last comes first, each path once", () => {
  const db = workspaces.all[0]?.index.get();
  db?.prepare("UPDATE live SET bytes = 1 WHERE path = 'src/a.ts'").run();
  db?.prepare("DELETE FROM live WHERE path = 'README.md'").run();
  const { lastChanged } = contentsOf({ workspace: "shop" }, workspaces);
  expect(lastChanged.slice(0, 3)).toEqual(["README.md", "src/a.ts", "src2/Größe.ts"]);
  expect(new Set(lastChanged).size).toBe(lastChanged.length);
});

test("a workspace without an index holds nothing", () => {
  expect(contentsOf({ workspace: "bare" }, workspaces)).toEqual({ languages: [], lastChanged: [] });
});
