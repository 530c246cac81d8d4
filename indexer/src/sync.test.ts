import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { blobId, textHash } from "@dhi/core/index-db";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { describe, expect, test } from "vitest";
import type { KnownFile } from "./index-store.ts";
import type { FileToRead } from "./read-content.ts";
import { createReadOrder } from "./read-order.ts";
import { diffTree, sync } from "./sync.ts";
import { embedLater, fakeThreads, tempIndexer, workTreeOf } from "./testing/temp-indexer.ts";
import type { TreeFile } from "./work-tree.ts";

describe("diffTree", () => {
  const inTree: TreeFile = { path: "a.ts", bytes: 5, changedMs: 7, skip: undefined };
  const known: KnownFile = {
    ...{
      path: "a.ts",
      bytes: 5,
      changedMs: 7,
      skip: null,
      blob: "b",
      language: "typescript",
      analysed: true,
    },
  };
  test.each<[string, TreeFile[], KnownFile[], string[], string[]]>([
    ["leaves what has the same time and size", [inTree], [known], [], []],
    ["indexes what is new", [inTree], [], ["a.ts"], []],
    ["indexes another size", [{ ...inTree, bytes: 6 }], [known], ["a.ts"], []],
    ["indexes another time, an older one too", [{ ...inTree, changedMs: 6 }], [known], ["a.ts"], []],
    ["looks into what changed a moment ago", [{ ...inTree, changedMs: null }], [known], ["a.ts"], []],
    ["looks again into what was that recent", [inTree], [{ ...known, changedMs: null }], ["a.ts"], []],
    ["indexes what an older chunker read", [inTree], [{ ...known, analysed: false }], ["a.ts"], []],
    ["indexes under another language", [inTree], [{ ...known, language: "python" }], ["a.ts"], []],
    ["leaves a binary that was read before", [inTree], [{ ...known, blob: null, skip: "binary" }], [], []],
    ["tries what was unreadable", [inTree], [{ ...known, blob: null, skip: "unreadable" }], ["a.ts"], []],
    [
      "indexes what is no longer too large",
      [inTree],
      [{ ...known, blob: null, skip: "too-large" }],
      ["a.ts"],
      [],
    ],
    ["skips what has become too large", [{ ...inTree, skip: "too-large" }], [known], ["a.ts"], []],
    ["removes what is gone", [], [known], [], ["a.ts"]],
  ])("%s", (_, tree, rows, index, remove) => {
    const diff = diffTree(tree, rows);
    expect([diff.index.map((f) => f.path), diff.remove]).toEqual([index, remove]);
  });
});

test.each(["repository", "plain folder"])(
  "a %s that is gone as a whole is named, keeps its index, and counts again when it is back",
  async (kind) => {
    using folder = tempRepo({ "a.ts": "a\n" });
    if (kind === "plain folder") folder.remove(".git");
    await using at = await tempIndexer(folder.dir);
    const before = at.indexed();
    renameSync(folder.dir, `${folder.dir}-away`);
    await at.sync();
    const error = `WORKSPACE=${folder.dir} does not exist`;
    expect(at.indexer.status()).toMatchObject({ state: "failed", error });
    expect(at.indexed()).toEqual(before);
    const typed = { path: "a.ts", version: 1, content: "typed", sessionId: undefined, languageId: "" };
    await expect(at.indexer.documents.put(typed)).rejects.toThrow(error);
    at.indexer.documents.close("a.ts", undefined);
    renameSync(`${folder.dir}-away`, folder.dir);
    await at.sync();
    expect(at.indexer.status()).toMatchObject({ state: "watching" });
    expect([at.indexer.status().error, at.indexed()]).toEqual([undefined, before]);
  },
);

test("a sync of an unchanged tree reads nothing", async () => {
  using repo = tempRepo({ "a.ts": "a\n", "b.ts": "b\n" });
  repo.commit();
  await using at = await tempIndexer(repo.dir);
  await at.becomes(workTreeOf(repo.dir));
  const old = new Date(2020, 1, 1);
  for (const path of ["a.ts", "b.ts"]) utimesSync(join(repo.dir, path), old, old);
  // The first one may still look again into what was written a moment ago.
  await expect
    .poll(async () => {
      await at.sync();
      return diffTree(await at.tree.files([""]), at.store.files([""]));
    })
    .toEqual({ index: [], remove: [] });
});

test("a change that keeps size and modification time is found", async () => {
  using repo = tempRepo({ "a.ts": "aaaa\n" });
  await using at = await tempIndexer(repo.dir);
  const then = new Date(2020, 1, 1);
  utimesSync(join(repo.dir, "a.ts"), then, then);
  await at.sync();
  repo.write("a.ts", "AAAA\n");
  utimesSync(join(repo.dir, "a.ts"), then, then);
  await at.sync();
  expect(at.indexed()).toEqual(workTreeOf(repo.dir));
});

test("a change of branch is seen whole: never some files of one and some of the other", async () => {
  using repo = tempRepo({ "a.ts": "main\n", "b.ts": "main\n" });
  repo.commit();
  const main = workTreeOf(repo.dir);
  repo.git("checkout", "-q", "-b", "side");
  repo.write("a.ts", "side\n");
  repo.write("b.ts", "side\n");
  repo.commit();
  const side = workTreeOf(repo.dir);
  await using at = await tempIndexer(repo.dir);
  repo.git("checkout", "-q", "main");
  const seen = new Set<string>();
  const look = setInterval(() => seen.add(JSON.stringify(at.indexed())), 0);
  at.indexer.syncPaths([""]);
  await at.indexer.idle();
  clearInterval(look);
  seen.add(JSON.stringify(at.indexed()));
  expect([...seen].filter((s) => s !== JSON.stringify(side))).toEqual([JSON.stringify(main)]);
});

test("what lies under a path is synced alone when that path is asked for", async () => {
  using repo = tempRepo({ "in/a.ts": "1\n", "in-2/b.ts": "1\n", "c.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  const before = at.indexed();
  for (const path of ["in/a.ts", "in-2/b.ts", "c.ts"]) repo.write(path, "changed\n");
  at.indexer.syncPaths(["in"]);
  await at.indexer.idle();
  expect(at.indexed()).toEqual({ ...before, "in/a.ts": blobId(Buffer.from("changed\n")) });
});

test("the workspace may be a folder inside a repository", async () => {
  using repo = tempRepo({ "top.ts": "1\n", "pkg/a.ts": "1\n", "pkg/x.log": "1\n", ".gitignore": "*.log\n" });
  repo.commit();
  await using at = await tempIndexer(join(repo.dir, "pkg"));
  expect(at.indexed()).toEqual({ "a.ts": blobId(Buffer.from("1\n")) });
});

test("blobs are hashes of what lies in the work tree, where git converts line ends too", async () => {
  using repo = tempRepo({ ".gitattributes": "*.ts text eol=crlf\n", "a.ts": "one\ntwo\n" });
  repo.git("config", "core.autocrlf", "true");
  repo.commit();
  rmSync(join(repo.dir, "a.ts"));
  repo.git("checkout", "-q", "--", "a.ts");
  expect(readFileSync(join(repo.dir, "a.ts"), "utf8")).toBe("one\r\ntwo\r\n");
  await using at = await tempIndexer(repo.dir);
  expect(at.indexed()).toEqual(workTreeOf(repo.dir));
});

test("submodules are part of the tree, an empty one is not", async () => {
  using lib = tempRepo({ "lib.ts": "export const lib = 1;\n" });
  lib.commit();
  using repo = tempRepo({ "a.ts": "1\n" });
  repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "libs/one");
  repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "libs/two");
  repo.commit();
  repo.git("submodule", "deinit", "-q", "-f", "libs/two");
  await using at = await tempIndexer(repo.dir);
  expect(at.indexed()).toEqual({ ...workTreeOf(repo.dir), "libs/two": "not-a-file" });
});

test("files left out of a sparse checkout are not in the index", async () => {
  using repo = tempRepo({ "in/a.ts": "1\n", "out/b.ts": "1\n", "top.ts": "1\n" });
  repo.commit();
  repo.git("sparse-checkout", "set", "in");
  await using at = await tempIndexer(repo.dir);
  expect(Object.keys(at.indexed())).toEqual(["in/a.ts", "top.ts"]);
});

test("a repository without commits, an empty one and an empty folder work", async () => {
  using fresh = tempRepo({ "a.ts": "1\n" });
  await using one = await tempIndexer(fresh.dir);
  expect(one.indexed()).toEqual(workTreeOf(fresh.dir));
  using empty = tempRepo();
  await using two = await tempIndexer(empty.dir);
  expect(two.indexed()).toEqual({});
  using folder = tempDir();
  await using three = await tempIndexer(folder.dir);
  expect([three.indexed(), three.indexer.status().state]).toEqual([{}, "watching"]);
});

test("a folder without git keeps to its .gitignore files and leaves folders of tools out", async () => {
  using folder = tempDir();
  const write = (path: string, text: string) => {
    mkdirSync(join(folder.dir, path, ".."), { recursive: true });
    writeFileSync(join(folder.dir, path), text);
  };
  write(".gitignore", "*.log\n/secret-plans\n!kept.log\n");
  write("sub/.gitignore", "own.ts\n!again.log\n");
  for (const path of [
    "a.ts",
    "a.log",
    "kept.log",
    "secret-plans/x.ts",
    "sub/own.ts",
    "sub/again.log",
    "sub/b.ts",
  ])
    write(path, "1\n");
  write("node_modules/dep/index.js", "1\n");
  write("sub/target/out.rs", "1\n");
  await using at = await tempIndexer(folder.dir);
  expect(Object.keys(at.indexed()).sort()).toEqual([
    ...[".gitignore", "a.ts", "kept.log", "sub/.gitignore", "sub/again.log", "sub/b.ts"],
  ]);
});

test("repositories inside a plain folder are asked themselves", async () => {
  using folder = tempDir();
  execFileSync("git", ["init", "-q", join(folder.dir, "project")]);
  writeFileSync(join(folder.dir, "project/.gitignore"), "out/\n");
  mkdirSync(join(folder.dir, "project/out"));
  mkdirSync(join(folder.dir, "project/build"));
  writeFileSync(join(folder.dir, "project/out/x.ts"), "1\n");
  writeFileSync(join(folder.dir, "project/build/y.ts"), "1\n");
  await using at = await tempIndexer(folder.dir);
  expect(Object.keys(at.indexed()).sort()).toEqual(["project/.gitignore", "project/build/y.ts"]);
});

test("without git on the PATH a repository is read as a plain folder", async () => {
  using repo = tempRepo({ "a.ts": "1\n", "x.log": "1\n", ".gitignore": "*.log\n" });
  const path = process.env.PATH;
  process.env.PATH = "/nowhere";
  try {
    await using at = await tempIndexer(repo.dir);
    expect(Object.keys(at.indexed())).toEqual([".gitignore", "a.ts"]);
  } finally {
    process.env.PATH = path;
  }
});

describe("what cannot be indexed", () => {
  test("is skipped with its reason, and the rest is indexed", async () => {
    using repo = tempRepo({
      "ok.ts": "1\n",
      "image.png": new Uint8Array([0x89, 0x50, 0, 1]),
      "bundle.min.js": "x\n",
      "package-lock.json": "{}\n",
      "made.go": "// Code generated by protoc. DO NOT EDIT.\npackage x\n",
      ".env": "PASSWORD=1\n",
      "certs/server.pem": "key\n",
      'ümläut "quoted".ts': "1\n",
      ":magic.ts": "1\n",
    });
    const huge = openSync(join(repo.dir, "huge.ts"), "w");
    ftruncateSync(huge, 200 * 1024 * 1024);
    closeSync(huge);
    symlinkSync("nowhere", join(repo.dir, "broken-link.ts"));
    symlinkSync("/etc", join(repo.dir, "etc"));
    execFileSync("mkfifo", [join(repo.dir, "pipe.ts")]);
    await using at = await tempIndexer(repo.dir);
    const one = blobId(Buffer.from("1\n"));
    expect(at.indexed()).toEqual({
      "ok.ts": one,
      "image.png": "binary",
      "bundle.min.js": "minified",
      "package-lock.json": "generated",
      "made.go": "generated",
      ".env": "secret",
      "certs/server.pem": "secret",
      "huge.ts": "too-large",
      "broken-link.ts": "not-a-file",
      etc: "not-a-file",
      'ümläut "quoted".ts': one,
      ":magic.ts": one,
    });
    expect(await at.indexer.explain("pipe.ts")).toMatchObject({ indexed: false, skipped: "not-a-file" });
    expect(await at.indexer.explain("etc/passwd")).toMatchObject({ indexed: false, skipped: "ignored" });
    expect(await at.indexer.indexNow("etc/passwd")).toEqual({ indexed: 0, skipped: "ignored" });
  });

  test("is never opened when its name, kind or size says so already", async () => {
    using repo = tempRepo({ ".env": "PASSWORD=1\n", id_rsa: "key\n", "large.ts": "x".repeat(200) });
    const old = new Date(2001, 1, 1);
    for (const name of [".env", "id_rsa", "large.ts"]) utimesSync(join(repo.dir, name), old, old);
    await using at = await tempIndexer(repo.dir, { maxFileBytes: 100 });
    expect(at.indexed()).toEqual({ ".env": "secret", id_rsa: "secret", "large.ts": "too-large" });
    // Reading sets the access time of a file whose access time is older than its change (relatime).
    const readAt = (name: string) => statSync(join(repo.dir, name)).atime;
    expect([".env", "id_rsa", "large.ts"].map(readAt)).toEqual([old, old, old]);
  });

  test("follows when a folder is replaced by a link out of the workspace", async () => {
    using outside = tempDir();
    writeFileSync(join(outside.dir, "a.ts"), "outside\n");
    using repo = tempRepo({ "src/a.ts": "1\n" });
    repo.commit();
    await using at = await tempIndexer(repo.dir);
    repo.remove("src");
    symlinkSync(outside.dir, join(repo.dir, "src"));
    await at.sync();
    expect(at.indexed()).toEqual({ src: "not-a-file" });
  });

  test.skipIf(process.getuid?.() === 0)("is unreadable until it can be read", async () => {
    using repo = tempRepo({ "a.ts": "1\n" });
    chmodSync(join(repo.dir, "a.ts"), 0);
    await using at = await tempIndexer(repo.dir);
    expect(at.indexed()).toEqual({ "a.ts": "unreadable" });
    chmodSync(join(repo.dir, "a.ts"), 0o600);
    await at.sync();
    expect(at.indexed()).toEqual(workTreeOf(repo.dir));
  });
});

test("a file deleted between being listed and being read leaves no trace", async () => {
  using repo = tempRepo({ "a.ts": "1\n", "b.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  const files = await at.tree.files([""]);
  repo.write("a.ts", "2\n");
  repo.remove("b.ts");
  const lateTree = { ...at.tree, files: async () => files.map((f) => ({ ...f, changedMs: null })) };
  const deps = {
    ...{ root: repo.dir, store: at.store, maxFileBytes: 100, onParsed() {} },
    ...{ threads: fakeThreads, ...embedLater },
    order: createReadOrder(),
  };
  await sync([""], lateTree, deps, { onStart() {}, onFile() {} }, new AbortController().signal);
  expect(at.indexed()).toEqual(workTreeOf(repo.dir));
});

test("content seen before is not parsed again, wherever it lies", async () => {
  using repo = tempRepo({ "a.ts": "same\n", "b.ts": "same\n", "c.js": "same\n" });
  await using at = await tempIndexer(repo.dir);
  // Twice: as TypeScript and as JavaScript.
  expect(at.parsed()).toBe(2);
  repo.remove("a.ts");
  await at.sync();
  repo.write("again.ts", "same\n");
  await at.sync();
  expect(at.parsed()).toBe(2);
  const terms = at.db.prepare(
    "SELECT text FROM terms JOIN texts ON texts.id = terms.rowid WHERE terms MATCH 'same'",
  );
  expect(terms.all()).toEqual([{ text: "same\n" }]);
});

test("content that an older chunker read is read again", async () => {
  using repo = tempRepo({ "a.ts": "one\n" });
  await using at = await tempIndexer(repo.dir);
  at.db.exec("UPDATE blobs SET chunker = 'old'; UPDATE chunks SET kind = 'block'");
  await at.sync();
  expect(at.db.prepare("SELECT kind, text_hash FROM chunks JOIN texts ON texts.id = text_id").all()).toEqual([
    { kind: "lines", text_hash: textHash("one\n") },
  ]);
  expect(at.parsed()).toBe(2);
});

test("a sync writes nothing into the workspace and its .git", async () => {
  using repo = tempRepo({ "a.ts": "1\n", "b.ts": "1\n", ".gitignore": "x\n" });
  repo.commit();
  repo.write("a.ts", "dirty\n");
  repo.git("stash", "-q");
  // Times that differ from those in the index would have git refresh it.
  utimesSync(join(repo.dir, "b.ts"), new Date(), new Date());
  repo.write("untracked.ts", "1\n");
  const before = hashOfFolder(repo.dir);
  await using at = await tempIndexer(repo.dir, { watch: true });
  await at.indexer.explain("x");
  await at.sync();
  expect(hashOfFolder(repo.dir)).toBe(before);
});

test("Dhi's own state inside the workspace is neither listed nor watched", async () => {
  using repo = tempRepo({ "a.ts": "1\n", ".dhi/index/x.ts": "1\n" });
  await using at = await tempIndexer(repo.dir, { stateFolder: ".dhi", watch: true });
  const changedAt = at.indexer.status().lastChangeAt;
  repo.write(".dhi/index/y.ts", "1\n");
  repo.write("b.ts", "1\n");
  await at.becomes(workTreeOf(repo.dir, [".dhi"]));
  expect(at.indexer.status().lastChangeAt).not.toBe(changedAt);
  expect(await at.indexer.indexNow(".dhi/index/x.ts")).toEqual({ indexed: 0, skipped: "ignored" });
});

/** Names, contents, kinds and times of all that is in it. */
function hashOfFolder(dir: string): string {
  const hash = createHash("sha1");
  const names = readdirSync(dir, { recursive: true }).map(String).sort();
  for (const name of names) {
    const file = join(dir, name);
    const stat = statSync(file);
    hash.update(`${name} ${stat.mode} ${stat.mtimeMs} ${stat.ctimeMs}\n`);
    if (stat.isFile() && existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}

test("a save is taken in while everything is compared, and what was read before it does not overwrite it", async () => {
  using repo = tempRepo({ "a.ts": "old\n", "b.ts": "1\n", "gone.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  repo.write("a.ts", "stale\n");
  repo.remove("gone.ts");
  // A comparison that lists the files, reads a.ts, and then hangs on b.ts.
  const listed = await at.tree.files([""]);
  const order = createReadOrder();
  let readOn: (() => void) | undefined;
  const deps = {
    ...{ root: repo.dir, store: at.store, maxFileBytes: 100, onParsed() {}, order },
    ...{ threads: fakeThreads, ...embedLater },
  };
  const nothing = { onStart() {}, onFile() {} };
  const never = new AbortController().signal;
  const tree = { ...at.tree, files: async () => listed.map((f) => ({ ...f, changedMs: null })) };
  const hanging = {
    ...deps,
    threads: {
      ...fakeThreads,
      async read(file: FileToRead) {
        const found = await fakeThreads.read(file);
        if (file.path === "a.ts" && file.wantsAnalysis) await new Promise<void>((done) => (readOn = done));
        return found;
      },
    },
  };
  const comparing = sync([""], tree, hanging, nothing, never);
  await expect.poll(() => readOn).toBeDefined();
  repo.write("a.ts", "saved\n");
  repo.write("gone.ts", "back\n");
  await sync(["a.ts", "gone.ts"], at.tree, deps, nothing, never);
  readOn?.();
  await comparing;
  expect(at.indexed()).toEqual(workTreeOf(repo.dir));
});

test("the first comparison shows its files as it goes, also when a kill had stopped it", async () => {
  using repo = tempRepo(Object.fromEntries(Array.from({ length: 450 }, (_, i) => [`f${i}.ts`, `${i}\n`])));
  await using at = await tempIndexer(repo.dir);
  at.db.exec(
    "DELETE FROM meta WHERE key = 'complete'; DELETE FROM live; DELETE FROM files WHERE path > 'f1'",
  );
  const seen: number[] = [];
  const deps = {
    ...{ root: repo.dir, store: at.store, maxFileBytes: 100, onParsed() {} },
    ...{ threads: fakeThreads, ...embedLater },
    order: createReadOrder(),
  };
  const count = at.db.prepare("SELECT count(*) FROM live").pluck();
  const progress = { onStart() {}, onFile: () => seen.push(Number(count.get())) };
  await sync([""], at.tree, deps, progress, new AbortController().signal);
  expect(new Set(seen)).toEqual(new Set([0, 200, 400]));
  expect(at.indexed()).toEqual(workTreeOf(repo.dir));
});

test("the first comparison has threads analyse and embed at once; later ones ask for blobs first, saves for what is in the file", async () => {
  using repo = tempRepo({ "a.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  const asked: unknown[] = [];
  const deps = {
    ...{ root: repo.dir, store: at.store, maxFileBytes: 100, onParsed() {} },
    ...{ order: createReadOrder(), ...embedLater, embedsNow: () => true },
    threads: {
      ...fakeThreads,
      async read({ wantsAnalysis, wantsVectors, ...file }: FileToRead) {
        asked.push([wantsAnalysis, wantsVectors]);
        return fakeThreads.read({ ...file, wantsAnalysis });
      },
    },
  };
  const save = async (text: string, areNew = false) => {
    repo.write("a.ts", text);
    await sync(
      [""],
      at.tree,
      { ...deps, areNew },
      { onStart() {}, onFile() {} },
      new AbortController().signal,
    );
    return asked.splice(0);
  };
  at.db.exec("DELETE FROM meta WHERE key = 'complete'");
  expect(await save("2\n")).toEqual([[true, true]]);
  expect(await save("3\n")).toEqual([
    [false, false],
    [true, false],
  ]);
  expect(await save("2\n")).toEqual([[false, false]]);
  expect(await save("4\n", true)).toEqual([[true, false]]);
});

test("what differs is read when whatever must end before has ended", async () => {
  using repo = tempRepo({ "a.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  const happened: string[] = [];
  const deps = {
    ...{ root: repo.dir, store: at.store, maxFileBytes: 100, onParsed() {} },
    ...{ order: createReadOrder(), ...embedLater },
    threads: {
      ...fakeThreads,
      read(file: FileToRead) {
        happened.push("read");
        return fakeThreads.read(file);
      },
    },
    async beforeReading() {
      await sleep(5);
      happened.push("ended");
    },
  };
  repo.write("a.ts", "2\n");
  const { signal } = new AbortController();
  await sync([""], at.tree, deps, { onStart: () => happened.push("listed"), onFile() {} }, signal);
  expect(happened.slice(0, 3)).toEqual(["listed", "ended", "read"]);
});

test("a save of a file that counted asks nobody whether it counts; of any other, git is asked", async () => {
  using repo = tempRepo({ "a.ts": "1\n", "b.ts": "1\n", "d/c.ts": "1\n" });
  await using at = await tempIndexer(repo.dir);
  const asked: string[] = [];
  const tree = {
    ...at.tree,
    files(scope: readonly string[]) {
      asked.push(...scope);
      return at.tree.files(scope);
    },
  };
  const deps = {
    ...{ root: repo.dir, store: at.store, maxFileBytes: 100, onParsed() {} },
    ...{ threads: fakeThreads, ...embedLater },
    ...{ order: createReadOrder(), isKnownTree: true },
  };
  const save = (...paths: string[]) =>
    sync(paths, tree, deps, { onStart() {}, onFile() {} }, new AbortController().signal);

  repo.write("a.ts", "2\n");
  repo.write("d/c.ts", "2\n");
  await save("a.ts", "d/c.ts");
  expect(asked).toEqual([]);
  repo.write("new.ts", "1\n");
  await save("new.ts");
  repo.remove("b.ts");
  await save("b.ts");
  repo.remove("a.ts");
  repo.write("a.ts/inside.ts", "1\n");
  await save("a.ts");
  expect(asked).toEqual(["new.ts", "b.ts", "a.ts"]);
  expect(at.indexed()).toEqual(workTreeOf(repo.dir));
});
