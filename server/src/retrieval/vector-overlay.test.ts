import { type IndexDb, openIndexForReading, textHash } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { toBlob } from "@dhi/core/vector-blob";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { createVectorOverlay, type OverlayLimits } from "./vector-overlay.ts";

const EMBEDDER = "hash:1";
const limits: OverlayLimits = { vectors: 100, looks: 10, taken: 100, paths: 50 };

let home: ReturnType<typeof tempDir>;
let writer: IndexDb;
let reader: IndexDb;
beforeEach(() => {
  home = tempDir();
  writer = seedIndex(home.dir, []);
  const opened = openIndexForReading(home.dir);
  if (!opened) throw new Error("the index was just made");
  reader = opened;
});
afterEach(() => {
  reader.close();
  writer.close();
  home[Symbol.dispose]();
});

/** A file of one chunk, whose text is its path. */
function save(path: string, vector?: readonly number[]): void {
  seedIndex(home.dir, [{ path, text: path }]).close();
  if (vector) embed(path, vector);
}
function embed(path: string, vector: readonly number[], embedder = EMBEDDER): void {
  writer
    .prepare("INSERT INTO embeddings SELECT id, ?, ? FROM texts WHERE text_hash = ?")
    .run(embedder, toBlob(vector), textHash(path));
}
function mirror(path: string, collection: string): void {
  writer.prepare("INSERT OR IGNORE INTO collections VALUES (?, 1)").run(collection);
  writer.prepare("INSERT INTO vectors VALUES (?, ?, 1, 1)").run(collection, `${path}#${textHash(path)}`);
}
const leave = (path: string) => writer.prepare("DELETE FROM live WHERE path = ?").run(path);

/** @returns paths, nearest to [1, 0] first */
function near(overlay: ReturnType<typeof createVectorOverlay>, limit = 10): string[] {
  overlay.refresh(reader, EMBEDDER, 2);
  return overlay.nearest([1, 0], limit).map((hit) => hit.path);
}

test("finds what Chroma does not hold yet, the nearest first, by direction and not by length", () => {
  save("far.ts", [0, 1]);
  save("near.ts", [5, 0.1]);
  save("nearest.ts", [0.2, 0]);
  const overlay = createVectorOverlay(limits);
  expect(near(overlay)).toEqual(["nearest.ts", "near.ts", "far.ts"]);
  expect(overlay.nearest([1, 0], 1)).toEqual([
    { path: "nearest.ts", textHash: textHash("nearest.ts"), distance: expect.closeTo(0) },
  ]);
  expect(overlay.nearest([1, 0], 10)[2]?.distance).toBeCloseTo(1);
});

test("takes in a save after the first look, and drops what left the tree", () => {
  const overlay = createVectorOverlay(limits);
  save("a.ts", [1, 0]);
  expect(near(overlay)).toEqual(["a.ts"]);
  save("b.ts", [1, 0.1]);
  leave("a.ts");
  expect(near(overlay)).toEqual(["b.ts"]);
});

test("finds a chunk whose vector is made later than its file is saved", () => {
  const overlay = createVectorOverlay(limits);
  save("a.ts");
  expect(near(overlay)).toEqual([]);
  embed("a.ts", [1, 0]);
  expect(near(overlay)).toEqual(["a.ts"]);
});

test("leaves to Chroma what every collection holds, and no more than that", () => {
  for (const path of ["both.ts", "old.ts", "none.ts"]) save(path, [1, 0]);
  mirror("both.ts", "old");
  mirror("old.ts", "old");
  expect(near(createVectorOverlay(limits))).toEqual(["none.ts"]);
  mirror("both.ts", "rebuilt");
  expect(near(createVectorOverlay(limits)).sort()).toEqual(["none.ts", "old.ts"]);
});

test("compares vectors of one embedder and one length alone", () => {
  save("a.ts", [1, 0]);
  save("other-embedder.ts");
  embed("other-embedder.ts", [1, 0], "ollama:nomic-embed-text");
  save("other-length.ts", [1, 0, 0]);
  save("lengthened.ts");
  embed("lengthened.ts", [1, 0.1], `${EMBEDDER}@2`);
  const overlay = createVectorOverlay(limits);
  expect(near(overlay)).toEqual(["a.ts", "lengthened.ts"]);
  overlay.refresh(reader, "ollama:nomic-embed-text", 2);
  expect(overlay.nearest([1, 0], 10).map((hit) => hit.path)).toEqual(["other-embedder.ts"]);
});

test.each([
  ["looks at a few paths", { looks: 2 }],
  ["takes in a few vectors", { taken: 2 }],
])("%s in each refresh, the newest first, and the others later", (_, few) => {
  for (const n of [1, 2, 3, 4, 5]) save(`${n}.ts`, [1, 0]);
  const overlay = createVectorOverlay({ ...limits, ...few });
  expect(near(overlay).sort()).toEqual(["4.ts", "5.ts"]);
  expect(near(overlay)).toHaveLength(4);
  expect(near(overlay)).toHaveLength(5);
});

test("holds no more vectors than it may, and those the newest", () => {
  for (const n of [1, 2, 3, 4, 5]) save(`${n}.ts`, [1, 0]);
  const overlay = createVectorOverlay({ ...limits, vectors: 2 });
  expect(near(overlay).sort()).toEqual(["4.ts", "5.ts"]);
  save("6.ts", [1, 0]);
  expect(near(overlay).sort()).toEqual(["5.ts", "6.ts"]);
});

test("leaves old paths to Chroma when more wait than may", () => {
  for (const n of [1, 2, 3, 4, 5]) save(`${n}.ts`, [1, 0]);
  const overlay = createVectorOverlay({ ...limits, looks: 1, paths: 3 });
  near(overlay);
  near(overlay);
  near(overlay);
  expect(near(overlay).sort()).toEqual(["3.ts", "4.ts", "5.ts"]);
});

test.each([
  ["that waits for a look", { ...limits, looks: 2 }],
  ["of which so many changed that nobody will look", { ...limits, looks: 2, paths: 2 }],
])("holds nothing at a path %s", (_, few) => {
  const overlay = createVectorOverlay(few);
  for (const path of ["1.ts", "2.ts"]) save(path, [1, 0]);
  expect(near(overlay).sort()).toEqual(["1.ts", "2.ts"]);
  for (const path of ["1.ts", "2.ts"]) leave(path);
  for (const path of ["3.ts", "4.ts"]) save(path, [1, 1]);
  expect(near(overlay, 2).sort()).toEqual(["3.ts", "4.ts"]);
});

test("waits for no vector of blank lines", () => {
  save("a.ts");
  seedIndex(home.dir, [{ path: "blank.ts", text: "\n\n" }]).close();
  const overlay = createVectorOverlay({ ...limits, looks: 1 });
  near(overlay);
  near(overlay);
  embed("a.ts", [1, 0]);
  expect(near(overlay)).toEqual(["a.ts"]);
});

test("starts anew with another index", () => {
  save("a.ts", [1, 0]);
  const overlay = createVectorOverlay(limits);
  near(overlay);
  using other = tempDir();
  seedIndex(other.dir, []).close();
  const otherReader = openIndexForReading(other.dir);
  if (!otherReader) throw new Error("the index was just made");
  overlay.refresh(otherReader, EMBEDDER, 2);
  expect(overlay.nearest([1, 0], 10)).toEqual([]);
  otherReader.close();
});
