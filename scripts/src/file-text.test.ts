/** What the page shows of a file is the file: the real chunker's pieces, put together by the server. */
import { readFile } from "@dhi/server/files/read-file";
import { createWorkspaces } from "@dhi/server/workspaces";
import { expect, test } from "vitest";
import { indexedFiles } from "./testing/indexed-files.ts";

const FILES = {
  "a.ts": 'import { b } from "./b";\n\nexport class A {\n  run() {\n    return b(1);\n  }\n}\n',
  "no-newline.py": "def f(x):\n    return x\n\n\n\nclass C:\n    pass",
  "crlf.go": "package main\r\n\r\nfunc main() {\r\n}\r\n",
  "big.rs": Array.from({ length: 400 }, (_, i) => `pub fn f${i}(x: u32) -> u32 {\n    x + ${i}\n}\n`).join(
    "\n",
  ),
  Makefile: "all:\n\techo ünïcode 🦀\n",
  "empty.java": "",
};

test("a file's text is all of it, byte for byte, in every language and without a grammar", () => {
  using index = indexedFiles(FILES);
  const shop = { name: "shop", roots: ["/shop"], index: { get: () => index.db, close() {} } };
  // Only the index is read.
  const workspaces = createWorkspaces([shop] as never);
  const read = Object.keys(FILES).map((path) => [path, readFile({ path }, workspaces).text]);
  expect(Object.fromEntries(read)).toEqual(FILES);
});
