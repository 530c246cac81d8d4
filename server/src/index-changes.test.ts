import { type IndexDb, openIndexForReading, openIndexForWriting } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { changedSince, lastChange, newestChanges } from "./index-changes.ts";

function scene() {
  const home = tempDir();
  const db = openIndexForWriting(home.dir);
  return {
    db,
    dir: home.dir,
    put: (path: string, blob: number) =>
      db.prepare("INSERT OR REPLACE INTO live VALUES (?, ?, 'typescript', 10)").run(path, blob),
    remove: (path: string) => db.prepare("DELETE FROM live WHERE path = ?").run(path),
    [Symbol.dispose]() {
      db.close();
      home[Symbol.dispose]();
    },
  };
}

test("names what was put, replaced and removed since, each once and the newest last", () => {
  using at = scene();
  at.put("old.ts", 1);
  at.put("gone.ts", 1);
  const seq = lastChange(at.db);
  expect(changedSince(at.db, seq)).toEqual([]);
  at.put("new.ts", 2);
  at.put("old.ts", 2);
  at.put("old.ts", 3);
  at.remove("gone.ts");
  expect(changedSince(at.db, seq)).toEqual(["new.ts", "old.ts", "gone.ts"]);
});

test("does not know what changed when it was too much, or another index", () => {
  using at = scene();
  at.put("a.ts", 1);
  const seq = lastChange(at.db);
  at.db.transaction(() => {
    for (let i = 0; i < 10_001; i++) at.put("b.ts", i);
  })();
  expect(changedSince(at.db, seq)).toBeUndefined();
  expect(changedSince(at.db, lastChange(at.db) + 1)).toBeUndefined();
  expect(at.db.prepare("SELECT count(*) FROM changes").pluck().get()).toBe(10_000);
});

test("as many are kept when files only go", () => {
  using at = scene();
  at.db.transaction(() => {
    for (let i = 0; i < 10_050; i++) at.put(`${i}.ts`, i);
  })();
  const seq = lastChange(at.db);
  at.db.exec("DELETE FROM live");
  expect(at.db.prepare("SELECT count(*) FROM changes").pluck().get()).toBe(10_000);
  expect(changedSince(at.db, seq)).toBeUndefined();
});

test("reads as many of the newest as are wanted, and says when there are others", () => {
  using at = scene();
  for (const path of ["a.ts", "b.ts", "c.ts"]) at.put(path, 1);
  expect(newestChanges(at.db, 0, 2)).toEqual({ last: 3, paths: ["c.ts", "b.ts"], areAll: false });
  expect(newestChanges(at.db, 1, 10)).toEqual({ last: 3, paths: ["c.ts", "b.ts"], areAll: true });
  // Of another index, which had come further.
  expect(newestChanges(at.db, 7, 10)).toEqual({ last: 3, paths: ["c.ts", "b.ts", "a.ts"], areAll: false });
});

test("what is committed while it is read is told the next time", () => {
  using at = scene();
  at.put("a.ts", 1);
  const reader = openIndexForReading(at.dir);
  if (!reader) throw new Error("no index");
  try {
    let saves = ["b.ts", "c.ts", "d.ts"];
    afterEachQuery(reader, () => {
      for (const path of saves.splice(0, 1)) at.put(path, 1);
    });
    const first = newestChanges(reader, 0);
    saves = [];
    const { paths } = newestChanges(reader, first.last);
    expect([...paths, ...first.paths]).toEqual(["d.ts", "c.ts", "b.ts", "a.ts"]);
  } finally {
    reader.close();
  }
});

/** What another process may do between two statements of this one. */
function afterEachQuery(db: IndexDb, commit: () => void): void {
  const prepare = db.prepare.bind(db);
  const then =
    <Args extends unknown[], Result>(query: (...args: Args) => Result) =>
    (...args: Args): Result => {
      const result = query(...args);
      commit();
      return result;
    };
  db.prepare = ((sql: string) => {
    const statement = prepare(sql);
    statement.get = then(statement.get.bind(statement));
    statement.all = then(statement.all.bind(statement));
    return statement;
  }) as typeof db.prepare;
}
