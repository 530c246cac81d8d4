import type { Embedder } from "@dhi/core/embedder";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { blobId, type IndexDb } from "@dhi/core/index-db";
import { languageOf } from "@dhi/core/languages";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test } from "vitest";
import { analysisOf } from "../analysis.ts";
import { type Analyzer, createAnalyzer } from "../chunker/analyze.ts";
import { createIndexStore } from "../index-store.ts";
import { fakeChroma, type TempVectors, tempVectors } from "../testing/temp-vectors.ts";
import type { VectorSync } from "./vector-sync.ts";

let home: ReturnType<typeof tempDir>;
let index: TempVectors;
let sync: VectorSync;
let analyzer: Analyzer;
let asked: string[];
beforeEach(async () => {
  home = tempDir();
  index = tempVectors(home.dir);
  analyzer = await createAnalyzer();
  asked = [];
  const hash = createHashEmbedder();
  const embedder: Embedder = {
    ...hash,
    async embedDocuments(texts, signal) {
      asked.push(...texts);
      return hash.embedDocuments(texts, signal);
    },
  };
  sync = index.start({ store: fakeChroma().open, embedder });
});
afterEach(async () => {
  await index[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

/** Indexes the files as they are now. @returns what had to be embedded */
async function save(files: Readonly<Record<string, string>>): Promise<string[]> {
  asked.length = 0;
  const store = createIndexStore(index.db);
  const rows = Object.entries(files).map(([path, text]) => {
    const language = languageOf(path);
    const blob = blobId(Buffer.from(text));
    if (!store.isAnalysed(blob, language.id))
      store.putAnalysis(blob, language.id, analysisOf(analyzer, text, language));
    return { path, blob, language: language.id, bytes: text.length, changedMs: 1, skip: null };
  });
  const gone = store.files([""]).flatMap(({ path }) => (path in files ? [] : path));
  store.setMembership(rows, gone);
  await sync.idle();
  return [...asked];
}

/** Long enough to be a chunk of its own. */
const fn = (name: string, result = "sum") => `/** Adds up what ${name} needs. */
export function ${name}(values: readonly number[]): number {
  let sum = 0;
${Array.from({ length: 14 }, (_, i) => `  if (values.length > ${i}) sum += ${i} * (values[${i}] ?? 0) + ${name.length};`).join("\n")}
  return ${result};
}
`;
const names = ["alpha", "beta", "gamma", "delta", "epsilon"];
const file = (...functions: string[]) => functions.join("\n");

test("an edited function costs one embedding, wherever it stands and wherever it goes", async () => {
  const all = names.map((name) => fn(name));
  expect(await save({ "src/a.ts": file(...all) })).toHaveLength(5);

  const edited = all.with(2, fn("gamma", "sum + 1"));
  expect(await save({ "src/a.ts": file(...edited) })).toEqual([expect.stringContaining("return sum + 1;")]);

  const below = [fn("zeta"), ...edited];
  expect(await save({ "src/a.ts": file(...below) })).toEqual([expect.stringContaining("zeta")]);

  const moved = [below[3], below[0], below[5], below[1], below[2], below[4]].map(String);
  expect(await save({ "src/a.ts": file(...moved) })).toEqual([]);

  const movedAndEdited = [...moved.slice(1), fn("gamma", "sum + 2")];
  expect(await save({ "src/a.ts": file(...movedAndEdited) })).toEqual([
    expect.stringContaining("return sum + 2;"),
  ]);
});

test("a renamed file costs nothing, nor does a function that two files share, nor switching back", async () => {
  const all = names.map((name) => fn(name));
  await save({ "src/a.ts": file(...all) });
  expect(await save({ "lib/b.ts": file(...all) })).toEqual([]);
  expect(await save({ "lib/b.ts": file(...all), "lib/c.ts": file(fn("new"), String(all[1])) })).toHaveLength(
    1,
  );
  expect(
    await save({ "lib/b.ts": file(...all.map((text) => text.replaceAll("sum", "total"))) }),
  ).toHaveLength(5);
  expect(await save({ "lib/b.ts": file(...all) })).toEqual([]);
});

test("chunks of a new chunker replace the old file by file; only texts that are others are embedded", async () => {
  const text = file(...names.map((name) => fn(name)));
  await save({ "src/a.ts": text, "src/b.ts": `${fn("other")}\n${fn("another")}` });
  asked.length = 0;
  // As an older version cut it: two pieces in one.
  const merged = mergeFirstTwo(index.db);
  await sync.idle();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain(merged);
  expect(await save({ "src/a.ts": text, "src/b.ts": `${fn("other")}\n${fn("another")}` })).toEqual([]);
});

/** Rewrites the first content as another chunker would have. @returns the text of its first chunk */
function mergeFirstTwo(db: IndexDb): string {
  const rows = db
    .prepare<[], { text: string }>(
      "SELECT text FROM chunks JOIN texts ON texts.id = text_id WHERE blob_id = 1 ORDER BY ordinal",
    )
    .all();
  const merged = `${rows[0]?.text}${rows[1]?.text}`;
  db.transaction(() => {
    const { lastInsertRowid } = db
      .prepare("INSERT INTO texts (text_hash, text) VALUES ('merged', ?)")
      .run(merged);
    db.prepare("DELETE FROM chunks WHERE blob_id = 1 AND ordinal = 1").run();
    db.prepare("UPDATE chunks SET text_id = ? WHERE blob_id = 1 AND ordinal = 0").run(lastInsertRowid);
    db.prepare("UPDATE blobs SET chunker = 'another' WHERE id = 1").run();
  })();
  return merged;
}
