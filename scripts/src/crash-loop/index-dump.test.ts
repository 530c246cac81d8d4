import { CHUNKER_VERSION } from "@dhi/core/chunk";
import { blobId, type IndexDb, openIndexForWriting, textHash } from "@dhi/core/index-db";
import { tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { createRandom } from "../bench/random.ts";
import { damages, differences, dumpIndex, isComplete, someTerms, wantedVectors } from "./index-dump.ts";

const text = "export const formatCents = 1;\n";

/** An index of one file with one chunk and one vector. */
function seed(dir: string): IndexDb {
  const db = openIndexForWriting(dir);
  db.exec(`
    INSERT INTO meta VALUES ('embedder', 'hash:1');
    INSERT INTO blobs (id, blob, language, chunker, bytes, chunks, symbols, used_at)
      VALUES (1, '${blobId(Buffer.from(text))}', 'typescript', '${CHUNKER_VERSION}', 30, 1, 1, 0);
    INSERT INTO files (path, blob_id, language, bytes) VALUES ('a.ts', 1, 'typescript', 30);
    INSERT INTO live VALUES ('a.ts', 1, 'typescript', 30);
    INSERT INTO texts (id, text_hash, text) VALUES (1, '${textHash(text)}', '${text}');
    INSERT INTO terms (rowid, words) VALUES (1, 'export const formatcents format cents 1');
    INSERT INTO chunks (blob_id, ordinal, kind, start_line, end_line, text_id) VALUES (1, 0, 'variable', 1, 1, 1);
    INSERT INTO symbols VALUES (1, 0, 'formatCents', 'variable', 'formatCents', NULL, 1, 1, 1);
    INSERT INTO refs (blob_id, ordinal, name, kind, line) VALUES (1, 0, 'cents', 'call', 1);
    INSERT INTO imports VALUES (1, 0, './m', 'a', 'b', 1, 0);
    INSERT INTO embeddings (text_id, embedder, vector) VALUES (1, 'hash:1', x'00');
  `);
  return db;
}

test.each([
  ["a file that is not live", "DELETE FROM live", /^- live \["a\.ts"/],
  ["another blob", "UPDATE blobs SET blob = 'other'", /^\+ live \["a\.ts","other"/],
  ["a chunk that is gone", "DELETE FROM chunks", /^- chunk \["a\.ts",0/],
  ["other lines", "UPDATE chunks SET end_line = 9", /^\+ chunk \["a\.ts",0,.*,1,9,/],
  [
    "a symbol too much",
    "INSERT INTO symbols SELECT blob_id, 1, 'x', kind, '', NULL, 1, 1, 1 FROM symbols",
    /^\+ symbol/,
  ],
  ["a reference that is gone", "DELETE FROM refs", /^- reference/],
  ["an import that is gone", "DELETE FROM imports", /^- import/],
  ["a term that is not found", "DELETE FROM terms", /^- hit format/],
  ["a text without a vector", "DELETE FROM embeddings", /^\+ without an embedding \["a\.ts",0\]/],
  ["a vector of another embedder", "UPDATE embeddings SET embedder = 'x'", /^\+ without an embedding/],
  [
    "a document left behind",
    "INSERT INTO documents VALUES ('b.ts', 1, NULL, 'typescript', 0)",
    /^\+ document/,
  ],
  ["another embedder", "UPDATE meta SET value = 'x' WHERE key = 'embedder'", /^\+ embedder x/],
])("sees %s", (_, sql, line) => {
  using repo = tempRepo();
  const db = seed(repo.dir);
  const fresh = dumpIndex(db, ["format"]);
  expect(differences(dumpIndex(db, ["format"]), fresh)).toEqual([]);
  db.exec(sql);
  expect(differences(dumpIndex(db, ["format"]), fresh)).toContainEqual(expect.stringMatching(line));
  db.close();
});

test("sees chunks that are not the file, and a text that is another one", () => {
  using repo = tempRepo({ "a.ts": text });
  const db = seed(repo.dir);
  expect(damages(db, repo.dir)).toEqual([]);
  repo.write("a.ts", "changed\n");
  expect(damages(db, repo.dir)).toEqual(["! a.ts: its chunks are not the file"]);
  repo.write("a.ts", "x");
  db.exec("UPDATE texts SET text = 'x'");
  expect(damages(db, repo.dir)).toEqual([`! a.ts: ${textHash(text)} is another text`]);
  db.close();
});

test("wants one vector for each text of each file", () => {
  using repo = tempRepo();
  const db = seed(repo.dir);
  db.exec(`
    INSERT INTO chunks (blob_id, ordinal, kind, start_line, end_line, text_id) VALUES (1, 1, 'variable', 2, 2, 1);
    INSERT INTO live VALUES ('b.ts', 1, 'typescript', 30);
  `);
  expect(wantedVectors(db).sort()).toEqual([`a.ts#${textHash(text)}`, `b.ts#${textHash(text)}`]);
  expect([isComplete(db), someTerms(db, 3, createRandom(1)).length]).toEqual([true, 3]);
  db.exec("DELETE FROM live");
  expect(isComplete(db)).toBe(false);
  db.close();
});
