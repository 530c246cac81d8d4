import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { fileWindows, windowsWith } from "./file-windows.ts";
import { nameKey } from "./named-text.ts";
import { wantedNames } from "./wanted-names.ts";

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line_${i};`);

test("windows overlap, reach the end of the file, and are found by their names", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, [{ path: "a.ts", text: lines(25).join("\n") }]);
  const file = await fileWindows(db, "a.ts", async () => {});
  db.close();
  expect(file).toMatchObject({ language: "typescript", text: { text: lines(25).join("\n") } });
  expect([...file!.sizes]).toEqual([16, 16, 16, 13]);
  const wanted = wantedNames(new Map([0, 5, 15, 24, 99].map((line) => [`line_${line}`, 1])));
  expect([...windowsWith(file!, wanted)]).toEqual([
    [nameKey("line_0"), [0]],
    [nameKey("line_5"), [0, 1]],
    [nameKey("line_15"), [0, 1, 2, 3]],
    [nameKey("line_24"), [3]],
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

test("a file that changes while others have their turn is read as it is then", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, [
    { path: "turn.ts", text: "before();" },
    { path: "next.ts", text: "after();" },
  ]);
  const changed = await fileWindows(db, "turn.ts", async () => {
    db.exec(`UPDATE live SET blob_id = (SELECT blob_id FROM live WHERE path = 'next.ts') WHERE path = 'turn.ts';
      DELETE FROM chunks WHERE blob_id NOT IN (SELECT blob_id FROM live)`);
  });
  const removed = await fileWindows(db, "next.ts", async () => {});
  db.close();
  expect([changed?.text.text, removed]).toEqual(["after();", changed]);
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
