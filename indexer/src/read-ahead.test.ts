import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { createReadAhead } from "./read-ahead.ts";
import type { FileToRead } from "./read-content.ts";
import { createReadOrder } from "./read-order.ts";
import { sync } from "./sync.ts";
import {
  embedLater,
  fakeThreads,
  type TempIndexer,
  tempIndexer,
  workTreeOf,
} from "./testing/temp-indexer.ts";

const depsOf = (root: string, { store, tree }: TempIndexer) => ({
  ...{ root, store, tree, maxFileBytes: 100, onParsed() {}, ...embedLater },
});

test("what git has written is analysed before its tree is taken in, and no path changes by it", async () => {
  using repo = tempRepo({ "a.ts": "1\n", "b.ts": "2\n", "d/c.ts": "3\n" });
  await using at = await tempIndexer(repo.dir);
  const before = { tree: at.indexed(), parsed: at.parsed() };
  repo.write("a.ts", "other\n");
  repo.write("d/c.ts", "another\n");
  repo.write("new.ts", "new\n");
  repo.remove("b.ts");
  at.indexer.readAhead(["a.ts", "b.ts", "new.ts", "d", "d/c.ts"]);
  await expect.poll(() => at.parsed()).toBe(before.parsed + 2);
  expect(at.indexed()).toEqual(before.tree);
  await at.sync();
  expect(at.parsed()).toBe(before.parsed + 3);
  expect(at.indexed()).toEqual(workTreeOf(repo.dir));
});

test("what was read ahead and has not changed since is not read again, and never over what was saved later", async () => {
  using repo = tempRepo({ "a.ts": "1\n", "b.ts": "2\n" });
  await using at = await tempIndexer(repo.dir);
  const read: string[] = [];
  const threads = {
    ...fakeThreads,
    async read(file: FileToRead) {
      read.push(file.path);
      return fakeThreads.read(file);
    },
  };
  const deps = { ...depsOf(repo.dir, at), threads };
  const ahead = createReadAhead(deps);
  const haveTimes = () =>
    expect
      .poll(() => at.tree.again(["a.ts", "b.ts"])?.every(({ changedMs }) => changedMs !== null))
      .toBe(true);
  const readAll = async () => {
    ahead.add(["a.ts", "b.ts"]);
    await expect.poll(() => read.length).toBeGreaterThan(1);
    await ahead.stop();
    read.length = 0;
  };
  repo.write("a.ts", "3\n");
  repo.write("b.ts", "4\n");
  await haveTimes();
  await readAll();
  repo.write("b.ts", "5\n");
  await haveTimes();

  const order = createReadOrder();
  // After the listing, a save of `a.ts` is taken in by another lane.
  const beforeReading = async () => void order.claim("a.ts", order.next());
  const progress = { onStart() {}, onFile() {} };
  const { signal } = new AbortController();
  await sync([""], at.tree, { ...deps, order, found: ahead.found, beforeReading }, progress, signal);
  expect(read).toContain("b.ts");
  expect(read).not.toContain("a.ts");
  const { "a.ts": a, "b.ts": b } = workTreeOf(repo.dir);
  expect(at.indexed()["b.ts"]).toBe(b);
  expect(at.indexed()["a.ts"]).not.toBe(a);

  read.length = 0;
  await sync([""], at.tree, { ...deps, order, found: ahead.found }, progress, signal);
  expect(read).toEqual([]);
  // As the listing, which came after the save, saw it.
  expect(at.indexed()["a.ts"]).toBe(a);
  ahead.forget();
  expect(at.tree.again(["a.ts"])?.map(ahead.found)).toEqual([undefined]);
});

test("when it is stopped, what waits is forgotten and nothing is read any more", async () => {
  const paths = Array.from({ length: 20 }, (_, i) => `f${i}.ts`);
  using repo = tempRepo(Object.fromEntries(paths.map((path) => [path, `${path}\n`])));
  await using at = await tempIndexer(repo.dir);
  const read: string[] = [];
  let reading = 0;
  const ahead = createReadAhead({
    ...depsOf(repo.dir, at),
    threads: {
      ...fakeThreads,
      async read(file) {
        reading++;
        read.push(file.path);
        await new Promise((done) => setImmediate(done));
        reading--;
        return fakeThreads.read(file);
      },
    },
  });
  ahead.add(paths);
  await ahead.stop();
  expect([reading, read]).toEqual([0, ["f0.ts", "f1.ts"]]);
  ahead.add(["f9.ts"]);
  await expect.poll(() => read).toEqual(["f0.ts", "f1.ts", "f9.ts"]);
  await ahead.stop();
});

test("a file that git touches again while it is read is not read twice at a time", async () => {
  using repo = tempRepo({ "a.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  let reading = 0;
  let most = 0;
  let reads = 0;
  const ahead = createReadAhead({
    ...depsOf(repo.dir, at),
    threads: {
      ...{ ...fakeThreads, size: 4 },
      async read(file) {
        most = Math.max(most, ++reading);
        await new Promise((done) => setImmediate(done));
        reading--;
        reads++;
        return fakeThreads.read(file);
      },
    },
  });
  ahead.add(["a.ts"]);
  ahead.add(["a.ts"]);
  ahead.add(["a.ts"]);
  await expect.poll(() => reads).toBe(2);
  expect(most).toBe(1);
  await ahead.stop();
});

test("nothing is read where a symbolic link has taken the place of a folder, or of a file", async () => {
  using repo = tempRepo({ "d/c.ts": "1\n", "a.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  using elsewhere = tempDir();
  writeFileSync(join(elsewhere.dir, "c.ts"), "somebody else's\n");
  repo.remove("d");
  repo.remove("a.ts");
  symlinkSync(elsewhere.dir, join(repo.dir, "d"));
  symlinkSync(join(elsewhere.dir, "c.ts"), join(repo.dir, "a.ts"));
  const read: string[] = [];
  const ahead = createReadAhead({
    ...depsOf(repo.dir, at),
    threads: {
      ...fakeThreads,
      async read(file) {
        read.push(file.path);
        return fakeThreads.read(file);
      },
    },
  });
  ahead.add(["d/c.ts", "a.ts"]);
  await new Promise((done) => setImmediate(done));
  await ahead.stop();
  expect(read).toEqual([]);
});

test("an index that cannot be read is left to the sync", async () => {
  using repo = tempRepo({ "a.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  const ahead = createReadAhead({
    ...depsOf(repo.dir, at),
    store: {
      ...at.store,
      files() {
        throw new Error("database disk image is malformed");
      },
    },
    threads: fakeThreads,
  });
  ahead.add(["a.ts"]);
  await expect(ahead.stop()).resolves.toBeUndefined();
});
