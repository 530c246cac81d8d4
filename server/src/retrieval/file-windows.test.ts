import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { fileWindows } from "./file-windows.ts";

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line_${i};`);

test("windows overlap, reach the end of the file, and are found by their names", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, [{ path: "a.ts", text: lines(25).join("\n") }]);
  const file = await fileWindows(db, "a.ts", async () => {});
  db.close();
  expect(file).toMatchObject({ language: "typescript", lines: lines(25), sizes: [16, 16, 16, 13] });
  expect([0, 5, 15, 24].map((line) => file?.withName.get(`line_${line}`))).toEqual([
    [0],
    [0, 1],
    [0, 1, 2, 3],
    [3],
  ]);
});

test("others get their turn before a file is read, once for each content", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, [{ path: "once.ts", text: "once();" }]);
  let turns = 0;
  const pause = async () => void turns++;
  const [first, second] = [await fileWindows(db, "once.ts", pause), await fileWindows(db, "once.ts", pause)];
  db.close();
  expect([turns, second === first]).toEqual([1, true]);
});

test("what is not in the tree, or too large, has none", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, [
    { path: "gone.ts", text: "gone();", gone: true },
    { path: "data.ts", text: "x".repeat(200_000) },
  ]);
  const found = await Promise.all(
    ["gone.ts", "data.ts", "never.ts"].map((p) => fileWindows(db, p, async () => {})),
  );
  db.close();
  expect(found).toEqual([undefined, undefined, undefined]);
});
