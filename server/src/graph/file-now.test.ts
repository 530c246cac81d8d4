import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { filesNow } from "./file-now.ts";

/** @returns of each file whether it can be compared, and how many names it has */
function told(files: number, symbols: number) {
  using home = tempDir();
  const paths = Array.from({ length: files }, (_, i) => `f${i}.ts`);
  const db = seedIndex(
    home.dir,
    paths.map((path) => ({ path, text: path })),
  );
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
     INSERT INTO symbols SELECT blob_id, i, 'name' || i, 'function', '', NULL, 1, 1, 1 FROM live CROSS JOIN n`,
  ).run(symbols);
  const found = filesNow(db, paths)?.map(({ names, now }) => [now !== undefined, names.length]);
  db.close();
  return found;
}

test("files are compared as long as they have few names together, and of the others the names are known", () => {
  expect(told(3, 900)).toEqual([
    [true, 900],
    [true, 900],
    [false, 900],
  ]);
});

test("of files with very many names nothing is read any more", () => {
  expect(told(7, 3_000)).toBeUndefined();
});
