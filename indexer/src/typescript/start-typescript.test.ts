import { setTimeout as sleep } from "node:timers/promises";
import { type IndexDb, openIndexForWriting } from "@dhi/core/index-db";
import { languageOf } from "@dhi/core/languages";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterAll, expect, test } from "vitest";
import type { LookRequest } from "./facts.ts";
import { startTypeScript, type TypeScriptFollower } from "./start-typescript.ts";
import { LookError, type TypeLooker } from "./type-process.ts";
import { createTypeReader } from "./type-reader.ts";

const reader = createTypeReader();
afterAll(reader.close);
const timing = { quietMs: 0, checkMs: 20, retry: { firstMs: 1, mostMs: 10 } };
const WAIT = { timeout: 20_000, interval: 5 };
const atRest = { isSyncing: () => false, isCompleting: () => false, onBattery: () => false };

interface Following extends AsyncDisposable {
  readonly db: IndexDb;
  readonly repo: TempRepo;
  readonly typescript: TypeScriptFollower;
  /** Paths in the order in which they were looked at. */
  readonly looks: string[];
  /** Writes a file, or with `undefined` removes it, as the indexer would. */
  save(path: string, content: string | undefined): void;
  rest(): Promise<void>;
  /** Name → type, of a file. */
  types(path: string): Record<string, string>;
}

interface FollowOptions {
  /** In place of TypeScript, for a look that fails. */
  readonly before?: (request: LookRequest) => void;
  readonly demand?: typeof atRest;
}

function follow(
  files: Readonly<Record<string, string>>,
  { before = () => {}, demand = atRest }: FollowOptions = {},
): Following {
  const repo = tempRepo(files);
  const state = tempDir();
  const db = openIndexForWriting(state.dir);
  let blob = 0;
  function index(path: string): void {
    db.prepare("INSERT OR REPLACE INTO live VALUES (?, ?, ?, 0)").run(path, ++blob, languageOf(path).id);
  }
  for (const path of Object.keys(files)) index(path);
  const looks: string[] = [];
  const looker: TypeLooker = {
    async look(request) {
      looks.push(request.path);
      before(request);
      return reader.look(request);
    },
    async close() {},
  };
  const warnings: string[] = [];
  const log = { info() {}, warn: (words: string) => warnings.push(words) };
  const typescript = startTypeScript({ root: repo.dir, db, looker, demand, log: log as never, timing });
  return {
    ...{ db, repo, typescript, looks },
    save(path, content) {
      if (content === undefined) {
        repo.remove(path);
        db.prepare("DELETE FROM live WHERE path = ?").run(path);
      } else {
        repo.write(path, content);
        index(path);
      }
      typescript.kick();
    },
    async rest() {
      const until = performance.now() + 20_000;
      while (typescript.status().state !== "idle") {
        if (performance.now() > until) throw new Error(JSON.stringify(typescript.status()));
        await sleep(2);
      }
    },
    types: (path) =>
      Object.fromEntries(
        db
          .prepare<[string], { name: string; type: string }>(
            "SELECT name, type FROM typed_names WHERE path = ? ORDER BY ordinal",
          )
          .all(path)
          .map(({ name, type }) => [name, type]),
      ),
    async [Symbol.asyncDispose]() {
      await typescript.close();
      db.close();
      repo[Symbol.dispose]();
      state[Symbol.dispose]();
    },
  };
}

const settings = (options: object = {}) =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      ...options,
    },
    include: ["src"],
  });
const shop = {
  "tsconfig.json": settings(),
  "src/price.ts": `export const price = () => 1;\n`,
  "src/cart.ts": `import { price } from "./price";\nexport const sum = price();\n`,
  "src/page.ts": `import { sum } from "./cart";\nexport const shown = sum;\n`,
};

test("a changed file is looked at again, and as far as its types reach, those that import it", async () => {
  await using following = follow(shop);
  const { looks, save, rest, types } = following;
  await rest();
  expect(looks).toEqual(["src/cart.ts", "src/page.ts", "src/price.ts"]);
  expect(types("src/page.ts")).toEqual({ sum: "number", shown: "number" });
  expect(following.typescript.status()).toEqual({ state: "idle", files: 3, filesTotal: 3, detail: "" });

  looks.length = 0;
  save("src/price.ts", `export const price = () => "1";\n`);
  await rest();
  expect(types("src/page.ts")).toEqual({ sum: "string", shown: "string" });
  expect(looks).toEqual(["src/price.ts", "src/cart.ts", "src/page.ts"]);

  looks.length = 0;
  save("src/price.ts", `export const price = () => "2".repeat(2);\n`);
  await rest();
  expect(looks).toEqual(["src/price.ts"]);
});

test("a file that comes is found by the imports that led nowhere, and one that goes leaves nothing", async () => {
  await using following = follow({
    ...shop,
    "src/late.ts": `import { late } from "./lib/late";\nconst l = late;\n`,
  });
  const { save, rest, types, db } = following;
  await rest();
  expect(types("src/late.ts")).toMatchObject({ l: "any" });
  save("src/lib/late.ts", "export const late = new Date();\n");
  await rest();
  expect(types("src/late.ts")).toMatchObject({ l: "Date" });

  save("src/lib/late.ts", undefined);
  await rest();
  expect(types("src/late.ts")).toMatchObject({ l: "any" });
  expect(types("src/lib/late.ts")).toEqual({});
  expect(db.prepare("SELECT path FROM typed_files ORDER BY path").pluck().all()).not.toContain(
    "src/lib/late.ts",
  );
});

test("settings that change have their files looked at again, also when nobody says so", async () => {
  await using following = follow({
    ...shop,
    "src/null.ts": "export const n: string | null = String(1) || null;\n",
  });
  await following.rest();
  following.repo.write("tsconfig.json", settings({ strict: false }));
  await expect.poll(() => following.types("src/null.ts"), WAIT).toEqual({ n: "string" });
  await following.rest();
});

test("settings that come nearer take the files below them", async () => {
  await using following = follow(shop);
  const { save, rest, db } = following;
  await rest();
  save("src/tsconfig.json", "{}");
  await rest();
  expect(db.prepare("SELECT DISTINCT project FROM typed_files").pluck().all()).toEqual(["src/tsconfig.json"]);
});

test("packages that are installed later are found", async () => {
  await using following = follow({
    ...shop,
    "src/use.ts": `import { made } from "made";\nexport const m = made;\n`,
  });
  await following.rest();
  expect(following.types("src/use.ts")).toMatchObject({ m: "any" });
  following.repo.write("node_modules/made/package.json", `{ "name": "made", "types": "index.d.ts" }`);
  following.repo.write("node_modules/made/index.d.ts", "export declare const made: RegExp;\n");
  await expect.poll(() => following.types("src/use.ts"), WAIT).toMatchObject({ m: "RegExp" });
});

test("an unsaved buffer is looked at in place of its file", async () => {
  await using following = follow(shop);
  const { db, rest, types } = following;
  await rest();
  const text = `import { price } from "./price";\nexport const twice = [price(), price()];\n`;
  db.prepare("INSERT INTO texts VALUES (1, 'h', ?)").run(text);
  db.prepare("INSERT INTO chunks VALUES (90, 0, 'lines', NULL, NULL, NULL, 1, 2, 1)").run();
  db.prepare("INSERT INTO documents VALUES ('src/cart.ts', 1, 90, 'typescript', 0)").run();
  db.prepare("UPDATE live SET blob_id = 90 WHERE path = 'src/cart.ts'").run();
  following.typescript.kick();
  await rest();
  expect(types("src/cart.ts")).toMatchObject({ twice: "number[]" });
});

test("a file at which TypeScript fails is left out, and what was known of it stays", async () => {
  let fails = false;
  await using following = follow(shop, {
    before({ path }) {
      if (fails && path === "src/cart.ts") throw new LookError("file", "it is too odd");
    },
  });
  await following.rest();
  fails = true;
  following.save("src/cart.ts", "export const sum = 3;\n");
  await following.rest();
  expect(following.types("src/cart.ts")).toEqual({ price: "() => number", sum: "number" });
  expect(failures(following.db)).toEqual({ "src/cart.ts": "it is too odd" });
});

test("a process that ends is tried again with everything kept; a file at which it ends twice is left out", async () => {
  let ends = 1;
  await using following = follow(shop, {
    before({ path }) {
      if (path === "src/page.ts" && ends-- > 0)
        throw new LookError("crash", "it ended with SIGKILL", "tsconfig.json");
    },
  });
  await following.rest();
  expect(following.looks).toEqual(["src/cart.ts", "src/page.ts", "src/page.ts", "src/price.ts"]);
  expect(failures(following.db)).toEqual({});

  ends = 2;
  following.save("src/page.ts", "export const other = 1;\n");
  await following.rest();
  expect(failures(following.db)).toEqual({ "src/page.ts": "it ended with SIGKILL" });
  expect(following.types("src/page.ts")).toEqual({ sum: "number", shown: "number" });
});

test("a project that does not fit into memory is given up, says so, and comes back with other settings", async () => {
  let fits = false;
  const other = { "other/tsconfig.json": "{}", "other/a.ts": "export const a = 1;\n" };
  await using following = follow(
    { ...shop, ...other },
    {
      before({ path, without }) {
        if (!fits && path.startsWith("src/") && !without.includes("tsconfig.json"))
          throw new LookError("memory", "it needs more than 768 MB", "tsconfig.json");
      },
    },
  );
  await following.rest();
  expect(following.typescript.status()).toEqual({
    ...{ state: "idle", files: 4, filesTotal: 4, detail: "tsconfig.json: it needs more than 768 MB" },
  });
  expect(following.types("other/a.ts")).toEqual({ a: "1" });
  expect(following.looks.filter((path) => path === "src/cart.ts")).toHaveLength(3);
  expect(new Set(Object.values(failures(following.db)))).toEqual(new Set(["it needs more than 768 MB"]));

  fits = true;
  following.save("tsconfig.json", settings({ lib: ["es5"] }));
  await expect.poll(() => failures(following.db), WAIT).toEqual({});
  await following.rest();
  expect(following.typescript.status().detail).toBe("");
});

test("a process that cannot start is tried ever later, and says why", async () => {
  let fails = true;
  await using following = follow(shop, {
    before() {
      if (fails) throw new LookError("crash", "it ended with code 1");
    },
  });
  await expect
    .poll(() => following.typescript.status())
    .toMatchObject({ state: "failed", detail: "it ended with code 1" });
  fails = false;
  await following.rest();
  expect(following.types("src/cart.ts")).toMatchObject({ sum: "number" });
});

test("nothing is looked at while a sync runs", async () => {
  let isSyncing = true;
  await using following = follow(shop, { demand: { ...atRest, isSyncing: () => isSyncing } });
  await sleep(50);
  expect(following.looks).toEqual([]);
  isSyncing = false;
  await following.rest();
  expect(following.looks).toHaveLength(3);
});

test("types that nothing leads to any more are removed", async () => {
  await using following = follow({
    "tsconfig.json": settings(),
    "src/a.ts": "export class Gone { a = 1 }\nexport const g = new Gone();\n",
  });
  const { save, rest, db } = following;
  await rest();
  const keys = () => db.prepare("SELECT key FROM types WHERE key LIKE 'src/%' ORDER BY key").pluck().all();
  expect(keys()).toEqual(["src/a.ts#Gone"]);
  for (let i = 0; i < 501; i++) {
    db.prepare("INSERT OR REPLACE INTO live VALUES (?, ?, 'typescript', 0)").run(`none/${i}.ts`, 1000 + i);
  }
  save("src/a.ts", "export const g = 1;\n");
  await rest();
  await expect.poll(keys, WAIT).toEqual([]);
});

test("where it is off nothing is started, and the status says why", async () => {
  using state = tempDir();
  const db = openIndexForWriting(state.dir);
  const log = { info() {}, warn() {} };
  const off = startTypeScript({ root: state.dir, db, looker: "TYPESCRIPT_SERVICE=off", demand: atRest, log });
  off.kick();
  expect(off.status()).toEqual({ state: "off", files: 0, filesTotal: 0, detail: "TYPESCRIPT_SERVICE=off" });
  await off.close();
  db.close();
});

const failures = (db: IndexDb): Record<string, string> =>
  Object.fromEntries(
    db
      .prepare<[], { path: string; failure: string }>(
        "SELECT path, failure FROM typed_files WHERE failure IS NOT NULL ORDER BY path",
      )
      .all()
      .map(({ path, failure }) => [path, failure]),
  );
