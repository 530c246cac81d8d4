import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { blobId } from "@dhi/core/index-db";
import { tempRepo } from "@dhi/core/testing/temp-repo";
import { describe, expect, test } from "vitest";
import { createDocuments, type DocumentLimits, type OpenDocument } from "./documents.ts";
import type { FileRow } from "./index-store.ts";
import { type TempIndexer, tempIndexer } from "./testing/temp-indexer.ts";

const buffer = (path: string, version: number, content: string, sessionId?: string): OpenDocument => ({
  ...{ path, version, content, sessionId, languageId: "" },
});

/** path → text, of everything that queries see. */
function live({ db }: TempIndexer): Record<string, string> {
  const rows = db
    .prepare<[], { path: string; text: string | null }>(
      "SELECT path, text FROM live LEFT JOIN chunks USING (blob_id) LEFT JOIN texts ON texts.id = text_id",
    )
    .all();
  return Object.fromEntries(rows.map((row) => [row.path, row.text ?? ""]));
}
const overlays = ({ db }: TempIndexer) => db.prepare("SELECT path FROM documents").pluck().all();
const rows = ({ db }: TempIndexer) =>
  Object.fromEntries(
    ["blobs", "chunks", "texts"].map((table) => [
      table,
      db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    ]),
  );

describe("a buffer", () => {
  test("stands for its file until it is closed", async () => {
    using repo = tempRepo({ "a.ts": "old" });
    await using at = await tempIndexer(repo.dir);
    const { documents } = at.indexer;
    expect(await documents.put(buffer("a.ts", 1, "new"))).toEqual({ indexed: 1 });
    expect(live(at)).toEqual({ "a.ts": "new" });
    expect(documents.close("a.ts", undefined)).toEqual({ indexed: 1 });
    expect(live(at)).toEqual({ "a.ts": "old" });
  });

  test("of a file that is not on the disk is there until it is closed", async () => {
    using repo = tempRepo();
    await using at = await tempIndexer(repo.dir);
    const { documents } = at.indexer;
    await documents.put(buffer("src/new.ts", 1, "new"));
    await at.sync();
    expect(live(at)).toEqual({ "src/new.ts": "new" });
    expect(documents.close("src/new.ts", undefined)).toEqual({ indexed: 0 });
    expect(live(at)).toEqual({});
  });

  test("that equals the disk is no overlay, with a byte order mark there too", async () => {
    using repo = tempRepo({ "a.ts": "same", "b.ts": "\uFEFFmarked" });
    await using at = await tempIndexer(repo.dir);
    expect(await at.indexer.documents.put(buffer("a.ts", 1, "same"))).toEqual({ indexed: 1 });
    expect(await at.indexer.documents.put(buffer("b.ts", 1, "marked"))).toEqual({ indexed: 1 });
    expect(overlays(at)).toEqual([]);
  });

  test("outlives what happens on the disk, until the disk is equal to it", async () => {
    using repo = tempRepo({ "a.ts": "one" });
    repo.commit();
    repo.git("checkout", "-q", "-b", "other");
    await using at = await tempIndexer(repo.dir);
    await at.indexer.documents.put(buffer("a.ts", 1, "typed"));
    for (const change of [
      () => repo.write("a.ts", "two"),
      () => repo.git("checkout", "-q", "-f", "main"),
      () => repo.remove("a.ts"),
    ]) {
      change();
      await at.sync();
      expect(live(at)).toEqual({ "a.ts": "typed" });
    }
    repo.write("a.ts", "typed");
    await at.sync();
    expect(overlays(at)).toEqual([]);
    repo.write("a.ts", "by another program");
    await at.sync();
    expect(live(at)).toEqual({ "a.ts": "by another program" });
  });

  test("that is sent again stands again, when the disk has another content by now", async () => {
    using repo = tempRepo({ "a.ts": "typed" });
    await using at = await tempIndexer(repo.dir);
    await at.indexer.documents.put(buffer("a.ts", 1, "typed"));
    repo.write("a.ts", "by another program");
    await at.sync();
    await at.indexer.documents.put(buffer("a.ts", 1, "typed"));
    expect(live(at)).toEqual({ "a.ts": "typed" });
  });

  test("is read as the language of its name, and as the editor's when that tells nothing", async () => {
    using repo = tempRepo();
    await using at = await tempIndexer(repo.dir);
    await at.indexer.documents.put({ ...buffer("a.ts", 1, "a"), languageId: "python" });
    await at.indexer.documents.put({ ...buffer("tools/run", 1, "b"), languageId: "python" });
    expect(at.db.prepare("SELECT path, language FROM live").raw().all()).toEqual([
      ["a.ts", "typescript"],
      ["tools/run", "python"],
    ]);
  });
});

describe("versions", () => {
  test("an older one is ignored, also after the newer one was saved", async () => {
    using repo = tempRepo({ "a.ts": "disk" });
    await using at = await tempIndexer(repo.dir);
    const { documents } = at.indexer;
    await documents.put(buffer("a.ts", 5, "five"));
    expect(await documents.put(buffer("a.ts", 4, "four"))).toEqual({ indexed: 1, skipped: "outdated" });
    repo.write("a.ts", "five");
    await at.sync();
    expect(await documents.put(buffer("a.ts", 4, "four"))).toEqual({ indexed: 1, skipped: "outdated" });
    expect(live(at)).toEqual({ "a.ts": "five" });
  });

  test("begin anew after closing, and in another session", async () => {
    using repo = tempRepo();
    await using at = await tempIndexer(repo.dir);
    const { documents } = at.indexer;
    await documents.put(buffer("a.ts", 9, "nine", "window 1"));
    await documents.put(buffer("a.ts", 1, "one", "window 2"));
    expect(live(at)).toEqual({ "a.ts": "one" });
    documents.close("a.ts", "window 1");
    expect(live(at), "of the other window").toEqual({ "a.ts": "one" });
    documents.close("a.ts", "window 2");
    await documents.put(buffer("a.ts", 0, "zero", "window 2"));
    expect(live(at)).toEqual({ "a.ts": "zero" });
    documents.close("a.ts", undefined);
    await documents.put(buffer("a.ts", 0, "of no window"));
    documents.close("a.ts", "window 2");
    expect(live(at)).toEqual({});
  });

  test("while one is read only the newest of those that follow is, and all are answered", async () => {
    using repo = tempRepo();
    await using at = await tempIndexer(repo.dir);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => at.indexer.documents.put(buffer("a.ts", i, `version ${i}`))),
    );
    expect(answers).toEqual(answers.map(() => ({ indexed: 1 })));
    expect(live(at)).toEqual({ "a.ts": "version 49" });
    expect(at.parsed()).toBe(1);
  });

  test("a buffer that is closed while it is read does not come back", async () => {
    using repo = tempRepo({ "a.ts": "disk" });
    await using at = await tempIndexer(repo.dir);
    const put = at.indexer.documents.put(buffer("a.ts", 1, "typed"));
    at.indexer.documents.close("a.ts", undefined);
    expect(await put).toEqual({ indexed: 1 });
    expect(live(at)).toEqual({ "a.ts": "disk" });
  });

  test("hundreds of them leave no more behind than the last", async () => {
    using repo = tempRepo({ "a.ts": "disk" });
    await using at = await tempIndexer(repo.dir);
    for (let i = 0; i < 300; i++) await at.indexer.documents.put(buffer("a.ts", i, `version ${i}`));
    expect(rows(at)).toEqual({ blobs: 2, chunks: 2, texts: 2 });
    at.indexer.documents.close("a.ts", undefined);
    for (let i = 0; i < 3; i++) {
      await at.indexer.documents.put(buffer("b.ts", 1, `opened ${i}`));
      at.indexer.documents.close("b.ts", undefined);
    }
    expect(rows(at)).toEqual({ blobs: 2, chunks: 2, texts: 2 });
  });

  test("what was saved, or lies at another path, is not forgotten with the buffer", async () => {
    using repo = tempRepo({ "a.ts": "disk", "b.ts": "elsewhere" });
    await using at = await tempIndexer(repo.dir);
    const { documents } = at.indexer;
    await documents.put(buffer("a.ts", 1, "saved"));
    repo.write("a.ts", "saved");
    await at.sync();
    await documents.put(buffer("a.ts", 2, "elsewhere"));
    await documents.put(buffer("a.ts", 3, "typed on"));
    documents.close("a.ts", undefined);
    expect(live(at)).toEqual({ "a.ts": "saved", "b.ts": "elsewhere" });
  });
});

describe("what the disk would not have in the index", () => {
  test.each([
    [".env", "X=1", "secret"],
    ["x.log", "1", "ignored"],
    ["a.min.js", "x", "minified"],
    ["folder", "x", "not-a-file"],
    ["link.ts", "x", "not-a-file"],
    [".git/config", "x", "ignored"],
    ["notes.ts", "// Code generated by x. DO NOT EDIT.\n", "generated"],
    ["big.ts", "x".repeat(200), "too-large"],
  ])("%s is refused as a buffer, and no word of it is stored", async (path, content, skipped) => {
    using repo = tempRepo({ ".gitignore": "*.log\n", "folder/a.ts": "a" });
    symlinkSync("folder/a.ts", join(repo.dir, "link.ts"));
    await using at = await tempIndexer(repo.dir, { maxFileBytes: 100 });
    const before = [live(at), rows(at)];
    expect(await at.indexer.documents.put(buffer(path, 1, content))).toEqual({ indexed: 0, skipped });
    expect([live(at), rows(at)]).toEqual(before);
    at.indexer.documents.close(path, undefined);
    expect([live(at), rows(at), overlays(at)]).toEqual([...before, []]);
  });

  test("a buffer that has become too large hides the file, as saving it would", async () => {
    using repo = tempRepo({ "a.ts": "small" });
    await using at = await tempIndexer(repo.dir, { maxFileBytes: 100 });
    await at.indexer.documents.put(buffer("a.ts", 1, "x".repeat(200)));
    expect(live(at)).toEqual({});
    at.indexer.documents.close("a.ts", undefined);
    expect(live(at)).toEqual({ "a.ts": "small" });
  });

  test("a buffer ends when its path is ignored from now on", async () => {
    using repo = tempRepo();
    await using at = await tempIndexer(repo.dir);
    await at.indexer.documents.put(buffer("a.log", 1, "typed"));
    repo.write(".gitignore", "*.log\n");
    await at.sync();
    expect(Object.keys(live(at))).toEqual([".gitignore"]);
  });

  test("closing what was never open changes nothing", async () => {
    using repo = tempRepo({ "a.ts": "disk" });
    await using at = await tempIndexer(repo.dir);
    expect(at.indexer.documents.close("a.ts", undefined)).toEqual({ indexed: 1 });
    expect(at.indexer.documents.close("never.ts", "window")).toEqual({ indexed: 0 });
    expect(live(at)).toEqual({ "a.ts": "disk" });
  });
});

describe("an editor that does not close its buffers", () => {
  const row = (path: string, content: string): FileRow => ({
    ...{
      path,
      blob: blobId(Buffer.from(content)),
      language: "plaintext",
      bytes: 1,
      changedMs: null,
      skip: null,
    },
  });

  /** Buffers of one letter, over a store whose files are empty. */
  async function open(limits: Partial<DocumentLimits>, isReading = () => false) {
    const repo = tempRepo();
    const at = await tempIndexer(repo.dir);
    at.indexer.documents.stop();
    let now = 0;
    const { store } = at;
    const documents = createDocuments({
      store,
      whyRefused: async () => new Map(),
      async read({ path, content }) {
        const one = row(path, content);
        store.putAnalysis(one.blob ?? "", one.language, {
          ...{ chunks: [], symbols: [], references: [], imports: [], bytes: 1 },
        });
        return one;
      },
      onChange() {},
      isReading,
      now: () => now,
      limits,
    });
    return {
      at,
      documents,
      pass: (ms: number) => (now += ms),
      async [Symbol.asyncDispose]() {
        documents.stop();
        await at[Symbol.asyncDispose]();
        repo[Symbol.dispose]();
      },
    };
  }

  test("loses them after the lease, which a new version and a repeat renew", async () => {
    await using to = await open({ leaseMs: 1_000, checkMs: 1 });
    await to.documents.put(buffer("silent", 1, "a"));
    await to.documents.put(buffer("typed", 1, "b"));
    await to.documents.put(buffer("repeated", 1, "c"));
    to.pass(900);
    await to.documents.put(buffer("typed", 2, "d"));
    await to.documents.put(buffer("repeated", 1, "c"));
    to.pass(900);
    await expect.poll(() => overlays(to.at)).toEqual(["repeated", "typed"]);
  });

  test("loses the one that was silent longest when there are too many", async () => {
    await using to = await open({ documents: 2 });
    for (const [path, version] of [
      ["a", 1],
      ["b", 1],
      ["a", 2],
      ["c", 1],
    ] as const)
      await to.documents.put(buffer(path, version, path));
    expect(overlays(to.at)).toEqual(["a", "c"]);
  });

  test("loses one whose closing the disk did not take as soon as it does", async () => {
    await using to = await open({ checkMs: 1 });
    await to.documents.put(buffer("a", 1, "a"));
    to.at.db.pragma("query_only = ON");
    expect(() => to.documents.close("a", undefined)).toThrow(/readonly/);
    // The looks for silent ones go on meanwhile.
    await new Promise((done) => setTimeout(done, 20));
    expect(overlays(to.at)).toEqual(["a"]);
    to.at.db.pragma("query_only = OFF");
    await expect.poll(() => overlays(to.at)).toEqual([]);
  });

  test("leaves what they held to a sync that may be about to refer to it", async () => {
    let syncing = true;
    await using to = await open({}, () => syncing);
    await to.documents.put(buffer("a", 1, "one"));
    await to.documents.put(buffer("a", 2, "two"));
    to.documents.close("a", undefined);
    expect(rows(to.at).blobs).toBe(2);
    syncing = false;
    await to.documents.put(buffer("b", 1, "three"));
    expect(rows(to.at).blobs).toBe(1);
  });

  test("loses them when the indexer starts again", async () => {
    await using to = await open({});
    await to.documents.put(buffer("a", 1, "a"));
    await to.documents.put(buffer("b", 1, "b"));
    const again = createDocuments({
      ...{ store: to.at.store, whyRefused: async () => new Map(), read: async () => row("a", "a") },
      ...{ onChange() {}, isReading: () => false },
    });
    again.stop();
    expect([overlays(to.at), live(to.at), rows(to.at)]).toEqual([[], {}, { blobs: 1, chunks: 0, texts: 0 }]);
  });
});
