import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { indexDir, openIndexForWriting } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { orphanIndexes } from "./orphan-indexes.ts";

test("names the indexes whose workspace is gone, with their size, and touches nothing", () => {
  using home = tempDir();
  for (const workspace of [home.dir, "/gone/shop"]) {
    const db = openIndexForWriting(indexDir(home.dir, workspace));
    db.prepare("INSERT INTO meta VALUES ('workspace', ?)").run(workspace);
    db.close();
  }
  mkdirSync(join(home.dir, "index", "empty"));
  mkdirSync(join(home.dir, "index", "other"));
  writeFileSync(join(home.dir, "index", "other", "index.db"), "no database");
  expect(orphanIndexes(home.dir)).toEqual([
    { dir: indexDir(home.dir, "/gone/shop"), workspace: "/gone/shop", bytes: expect.any(Number) },
  ]);
  expect(orphanIndexes(home.dir)[0]?.bytes).toBeGreaterThan(10_000);
});

test("finds none where nothing was ever indexed", () => {
  using home = tempDir();
  expect(orphanIndexes(home.dir)).toEqual([]);
});
