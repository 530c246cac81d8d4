import { blobId, type IndexDb, openIndexForReading, openIndexForWriting, textHash } from "@dhi/core/index-db";
import { fimRequest } from "@dhi/core/protocol";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { describe, expect, test } from "vitest";
import { createInstantEngine } from "./instant-engine.ts";
import { createInstantIndex, type InstantIndex, type InstantIndexOptions } from "./instant-index.ts";

const money = "export function formatCents(amount: number): string {\n  return render(amount);\n}\n";
const live = () => new AbortController().signal;

interface Scene extends Disposable {
  readonly dir: string;
  readonly db: IndexDb;
  readonly index: InstantIndex;
}

/** An `index.db` with these files, and the instant index over a reader of it. */
function sceneOf(files: Readonly<Record<string, string>>, options: Partial<InstantIndexOptions> = {}): Scene {
  const { dir, [Symbol.dispose]: dispose } = tempDir();
  const db = openIndexForWriting(dir);
  for (const [path, text] of Object.entries(files)) write(db, path, text);
  const reader = openIndexForReading(dir);
  const index = createInstantIndex({ index: { get: () => reader }, pollMs: 60_000, ...options });
  return {
    dir,
    db,
    index,
    [Symbol.dispose]() {
      index.close();
      reader?.close();
      db.close();
      dispose();
    },
  };
}

/** As the indexer does, in two chunks that meet inside a line. */
function write(db: IndexDb, path: string, text: string, symbols: readonly string[] = []): void {
  const middle = text.length >> 1;
  const insert = (sql: string, ...values: unknown[]) => db.prepare(sql).run(...values).lastInsertRowid;
  db.transaction(() => {
    insert(
      `INSERT OR IGNORE INTO blobs (blob, language, chunker, bytes, chunks, symbols, used_at)
       VALUES (?, 'typescript', '', ?, 2, ?, 0)`,
      ...[blobId(Buffer.from(text)), text.length, symbols.length],
    );
    const blob = db
      .prepare("SELECT id FROM blobs WHERE blob = ?")
      .pluck()
      .get(blobId(Buffer.from(text)));
    db.prepare("DELETE FROM chunks WHERE blob_id = ?").run(blob);
    for (const [ordinal, part] of [text.slice(0, middle), text.slice(middle)].entries()) {
      insert("INSERT OR IGNORE INTO texts (text_hash, text) VALUES (?, ?)", textHash(part), part);
      insert(
        `INSERT INTO chunks SELECT ?, ?, 'lines', NULL, NULL, NULL, 1, 1, id FROM texts WHERE text_hash = ?`,
        ...[blob, ordinal, textHash(part)],
      );
    }
    symbols.forEach((name, ordinal) => {
      insert("INSERT INTO symbols VALUES (?, ?, ?, 'function', '', NULL, 1, 1, 1)", ...[blob, ordinal, name]);
    });
    insert("INSERT OR REPLACE INTO live VALUES (?, ?, 'typescript', ?)", path, blob, text.length);
  })();
}
const remove = (db: IndexDb, path: string) => db.prepare("DELETE FROM live WHERE path = ?").run(path);

const ghost = (index: InstantIndex, prefix: string, suffix = "\n") =>
  createInstantEngine({ index, threshold: 0.3 })
    .generate(
      { prompt: "", request: fimRequest.parse({ path: "src/open.ts", prefix, suffix }) },
      { stop: [], maxTokens: 50 },
      live(),
    )
    .then(({ text }) => text);

test("completes a name that another file defines", async () => {
  using scene = sceneOf({ "src/money.ts": money });
  await scene.index.refresh();
  expect(await ghost(scene.index, "const t = formatC")).toMatch(/^ents/);
  expect(scene.index.status()).toEqual({ state: "ready", files: 1, tokens: 22, storedTokens: 22 });
});

test("a guess that fails costs its own answer, and is told once", async () => {
  const warnings: string[] = [];
  const index = createInstantIndex({
    index: { get: () => undefined },
    pollMs: 60_000,
    warn: (warning) => warnings.push(warning),
  });
  const broken = {
    maxTokens: 20,
    get threshold(): number {
      throw new Error("disk on fire");
    },
  };
  const at = { path: "src/open.ts", prefix: `${money}\nconst t = formatC`, suffix: "" };
  try {
    const nothing = { text: "", confidence: 0, tokens: 0, cut: false };
    expect([await index.predict(at, broken), await index.predict(at, broken)]).toEqual([nothing, nothing]);
    expect(warnings).toEqual(["instant: no answer: disk on fire"]);
    expect((await index.predict(at, { threshold: 0.5, maxTokens: 20 })).text).toMatch(/^ents/);
  } finally {
    index.close();
  }
});

test("an index that cannot be opened any more takes no answer away", async () => {
  using scene = sceneOf({ "src/money.ts": money });
  let isBroken = false;
  const index = createInstantIndex({
    index: {
      get() {
        if (isBroken) throw new Error("disk on fire");
        return scene.db;
      },
    },
    pollMs: 60_000,
  });
  try {
    await index.refresh();
    isBroken = true;
    expect(await ghost(index, "const t = formatC")).toMatch(/^ents/);
  } finally {
    index.close();
  }
});

test("knows a definition whose text is not the name's only place", async () => {
  using scene = sceneOf({});
  write(scene.db, "a.ts", "formatColumn;\nformatColumn;\n");
  write(scene.db, "b.ts", "formatCents;\n", ["formatCents", "formatCents", "formatCents", "formatCents"]);
  await scene.index.refresh();
  expect(await ghost(scene.index, "const t = formatC")).toMatch(/^ents/);
});

test("works from the open file alone while there is no index, and reads it as soon as it is there", async () => {
  using scene = sceneOf({ "src/money.ts": money });
  let db: IndexDb | undefined;
  const index = createInstantIndex({ index: { get: () => db }, pollMs: 5 });
  try {
    await index.refresh();
    expect(index.status()).toEqual({ state: "empty", files: 0, tokens: 0, storedTokens: 0 });
    const above = "log.info(request.path);\n".repeat(6);
    expect(await ghost(index, `${above}log.`)).toBe("info(request.path);");
    db = openIndexForReading(scene.dir);
    await expect.poll(() => index.status().state).toBe("ready");
    expect(await ghost(index, "const t = formatC")).toMatch(/^ents/);
  } finally {
    index.close();
    db?.close();
  }
});

test("follows changed, removed and added files", async () => {
  using scene = sceneOf({ "src/money.ts": money });
  await scene.index.refresh();
  write(scene.db, "src/money.ts", money.replace("formatCents", "formatCoins"));
  await scene.index.refresh();
  expect(await ghost(scene.index, "const t = formatC")).toMatch(/^oins/);
  remove(scene.db, "src/money.ts");
  await scene.index.refresh();
  expect(await ghost(scene.index, "const t = formatC")).toBe("");
  write(scene.db, "src/other.ts", money);
  await scene.index.refresh();
  expect(await ghost(scene.index, "const t = formatC")).toMatch(/^ents/);
});

test("looks at everything again when more changed than is noted", async () => {
  using scene = sceneOf({ "src/money.ts": money });
  await scene.index.refresh();
  write(scene.db, "src/money.ts", money.replace("formatCents", "formatCoins"));
  scene.db.transaction(() => {
    for (let i = 0; i < 10_000; i++)
      scene.db.prepare("INSERT OR REPLACE INTO live VALUES ('empty.ts', ?, 'typescript', 0)").run(i);
  })();
  await scene.index.refresh();
  expect(await ghost(scene.index, "const t = formatC")).toMatch(/^oins/);
});

test("takes in a file that somebody works on though smaller ones fill its share", async () => {
  const small = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`${i}.ts`, `first${i}();\nsecond${i}();\n`]),
  );
  using scene = sceneOf({ ...small, "src/money.ts": money }, { maxTokens: () => 400 });
  await scene.index.refresh();
  expect(await ghost(scene.index, "const t = formatC")).toBe("");
  write(scene.db, "src/money.ts", money.replace("return", "  return"));
  await scene.index.refresh();
  expect(await ghost(scene.index, "const t = formatC")).toMatch(/^ents/);
});

describe("where not all fits, the coldest files go", () => {
  const unused = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`${i}.ts`, `first${i}();\nsecond${i}();\n`]),
  );
  const open = (index: InstantIndex, path: string) =>
    index.predict({ path, prefix: "", suffix: "\n" }, { threshold: 0.9, maxTokens: 1 });
  const other = money.replaceAll("formatCents", "formatOunces");

  test("for the one that a completion was asked in, within the bound", async () => {
    using scene = sceneOf({ ...unused, "src/money.ts": money }, { maxTokens: () => 260 });
    await scene.index.refresh();
    expect(await ghost(scene.index, "const t = formatC")).toBe("");
    await open(scene.index, "src/money.ts");
    await scene.index.refresh();
    expect(await ghost(scene.index, "const t = formatC")).toMatch(/^ents/);
    expect(scene.index.status().tokens).toBeLessThanOrEqual(260);
  });

  test("and of those that were used the one that was used longest ago", async () => {
    using scene = sceneOf({ "src/money.ts": money, "src/other.ts": other }, { maxTokens: () => 40 });
    for (const path of ["src/money.ts", "src/other.ts"]) {
      await open(scene.index, path);
      await scene.index.refresh();
    }
    expect(await ghost(scene.index, "const t = formatC")).toBe("");
    expect(await ghost(scene.index, "const t = formatO")).toMatch(/^unces/);
  });

  test("and none for what a branch changes", async () => {
    using scene = sceneOf({ ...unused, "src/money.ts": money }, { maxTokens: () => 260 });
    await scene.index.refresh();
    write(scene.db, "src/money.ts", `${money}\n`);
    for (const [path, text] of Object.entries(unused)) write(scene.db, path, `${text}\n`);
    await scene.index.refresh();
    expect(await ghost(scene.index, "const t = formatC")).toBe("");
  });

  test("and a rebuild keeps what is used", async () => {
    using scene = sceneOf({ ...unused, "src/money.ts": money }, { maxTokens: () => 260 });
    await scene.index.refresh();
    await open(scene.index, "src/money.ts");
    await scene.index.refresh();
    for (let i = 0; i < 12; i++) {
      write(scene.db, "1.ts", `${"first1(again);\n".repeat(i + 2)}`);
      await scene.index.refresh();
    }
    const { tokens, storedTokens } = scene.index.status();
    expect(storedTokens).toBeLessThan(tokens / 0.6);
    expect(await ghost(scene.index, "const t = formatC")).toMatch(/^ents/);
  });
});

test("reads a file whose analysis comes after its name", async () => {
  using scene = sceneOf({});
  scene.db
    .prepare("INSERT INTO files VALUES ('src/money.ts', ?, 'typescript', ?, 0, NULL)")
    .run(blobId(Buffer.from(money)), money.length);
  await scene.index.refresh();
  expect(scene.index.status().files).toBe(0);
  write(scene.db, "src/money.ts", money);
  await scene.index.refresh();
  expect(scene.index.status().files).toBe(1);
});

test("leaves out data before code when not everything fits", async () => {
  using scene = sceneOf(
    { "a.txt": "formatCoins ".repeat(300), "z.ts": money, "y.ts": `${money}\n${"other();\n".repeat(300)}` },
    { maxTokens: () => 1_000 },
  );
  await scene.index.refresh();
  expect(scene.index.status().files).toBe(2);
  expect(await ghost(scene.index, "const t = formatC")).toMatch(/^ents/);
});

test("takes in more when its share grows, and less when that shrinks, without a change of the index", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`${i}.ts`, money.replaceAll("formatCents", `formatCents${i}`)]),
  );
  let share = 100;
  using scene = sceneOf(files, { maxTokens: () => share });
  const held = async (most: number) => {
    share = most;
    await scene.index.refresh();
    return scene.index.status();
  };
  const few = await held(100);
  expect(few.files).toBeLessThan(20);
  expect(await held(10_000)).toMatchObject({ files: 20 });
  const fewer = await held(100);
  expect(fewer).toEqual({ ...few, storedTokens: few.tokens });
});

test("does not grow with a file that changes for ever", async () => {
  using scene = sceneOf({ "src/money.ts": money });
  for (let i = 0; i < 20; i++) {
    write(scene.db, "src/money.ts", money.replace("formatCents", `formatCents${i}`));
    await scene.index.refresh();
  }
  const { tokens, storedTokens } = scene.index.status();
  expect(tokens).toBe(22);
  expect(storedTokens).toBeLessThanOrEqual(44);
  expect(await ghost(scene.index, "const t = formatC")).toMatch(/^ents19/);
});

test("lets others run while it reads", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`src/${i}.ts`, `${money}\n${`call${i}(x, ${i});\n`.repeat(200)}`]),
  );
  using scene = sceneOf(files);
  let reading = true;
  const done = scene.index.refresh().then(() => {
    reading = false;
  });
  const seenFiles = new Set<number>();
  while (reading) {
    await new Promise((next) => setImmediate(next));
    seenFiles.add(scene.index.status().files);
  }
  await done;
  // It answered from partial states on the way to the full one.
  expect(seenFiles.size).toBeGreaterThan(3);
  expect(scene.index.status().files).toBe(300);
});

test("goes on with what it has when the index is closed under it", async () => {
  using scene = sceneOf({ "src/money.ts": money });
  let db = openIndexForReading(scene.dir);
  const index = createInstantIndex({ index: { get: () => db }, pollMs: 60_000 });
  try {
    await index.refresh();
    db?.close();
    await index.refresh();
    expect(await ghost(index, "const t = formatC")).toMatch(/^ents/);
    db = openIndexForReading(scene.dir);
    write(scene.db, "src/new.ts", "formatCurrency;\n");
    await index.refresh();
    expect(index.status().files).toBe(2);
  } finally {
    index.close();
    db?.close();
  }
});
