import { openIndexForWriting } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { createFileUses } from "./file-uses.ts";
import { fileAt, mostRelevantFirst } from "./repository-files.ts";

function scene() {
  const home = tempDir();
  const db = openIndexForWriting(home.dir);
  return {
    db,
    put: (path: string, blob: number, bytes = 10) =>
      db.prepare("INSERT OR REPLACE INTO live VALUES (?, ?, 'typescript', ?)").run(path, blob, bytes),
    [Symbol.dispose]() {
      db.close();
      home[Symbol.dispose]();
    },
  };
}

test("leaves out data", () => {
  using at = scene();
  at.put("code.ts", 1, 500);
  at.put("empty.ts", 2, 0);
  at.put("data.ts", 3, 1_000_000);
  expect(["code.ts", "empty.ts", "data.ts", "none.ts"].map((path) => fileAt(at.db, path)?.blob)).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ]);
});

test("what is used comes first, code before other text, and small before large", async () => {
  const file = (path: string, language: string, bytes: number) => ({ path, blob: 1, language, bytes });
  const files = [
    file("large.ts", "typescript", 128 * 1024),
    file("notes.md", "markdown", 10),
    file("small.py", "python", 300),
    file("first.md", "markdown", 5_000),
    file("then.md", "markdown", 20),
  ];
  const uses = createFileUses();
  for (const path of ["then.md", "gone.md", "first.md"]) uses.note(path);
  expect([...(await mostRelevantFirst(files, uses))].map((f) => f.path)).toEqual([
    "first.md",
    "then.md",
    "small.py",
    "large.ts",
    "notes.md",
  ]);
});
