/** What an index says of its tree, as lines: two indexes of one tree are equal when their lines are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { termsOf } from "@dhi/core/identifiers";
import { type IndexDb, readMeta, textHash, vectorId } from "@dhi/core/index-db";
import type { Random } from "../bench/random.ts";

/** @param terms words that both indexes are asked for; see `someTerms` */
export function dumpIndex(db: IndexDb, terms: readonly string[]): string[] {
  return [
    ...TABLES.flatMap(([name, sql]) => linesOf(db, name, sql)),
    ...terms.flatMap((term) => linesOf(db, `hit ${term}`, HITS, `"${term}"`)),
    ...notEmbedded(db),
    `embedder ${readMeta(db, "embedder")}`,
  ];
}

/** Something is live, and each text of it has a vector: an index of nothing would be the measure of nothing. */
export const isComplete = (db: IndexDb): boolean =>
  db.prepare("SELECT 1 FROM live LIMIT 1").get() !== undefined && notEmbedded(db).length === 0;

/** Lines that are in one of them only, marked with `-` for what is missing and `+` for what is too much. */
export function differences(actual: readonly string[], expected: readonly string[]): string[] {
  const [there, wanted] = [new Set(actual), new Set(expected)];
  return [
    ...expected.filter((line) => !there.has(line)).map((line) => `- ${line}`),
    ...actual.filter((line) => !wanted.has(line)).map((line) => `+ ${line}`),
  ];
}

/** @returns a line for each file whose chunks are not the file, and for each damaged row or page */
export function damages(db: IndexDb, repository: string): string[] {
  const chunks = db.prepare<[string], { text: string; hash: string }>(
    `SELECT t.text, t.text_hash AS hash FROM live JOIN chunks c USING (blob_id) JOIN texts t ON t.id = c.text_id
     WHERE live.path = ? ORDER BY c.ordinal`,
  );
  const paths = db.prepare<[], string>("SELECT path FROM live").pluck().all();
  const inFiles = paths.flatMap((path) => {
    const rows = chunks.all(path);
    const onDisk = readFileSync(join(repository, path), "utf8").replace(/^\uFEFF/, "");
    return [
      ...(rows.map((row) => row.text).join("") === onDisk ? [] : [`! ${path}: its chunks are not the file`]),
      ...rows
        .filter((row) => textHash(row.text) !== row.hash)
        .map((row) => `! ${path}: ${row.hash} is another text`),
    ];
  });
  const check = db.pragma("quick_check", { simple: true });
  return check === "ok" ? inFiles : [...inFiles, `! index.db: ${check}`];
}

/** Ids that Chroma should hold: one for each different text of each file. */
export const wantedVectors = (db: IndexDb): string[] =>
  db
    .prepare<[string], { path: string; hash: string }>(
      `SELECT DISTINCT live.path, t.text_hash AS hash FROM live JOIN chunks c USING (blob_id)
       JOIN texts t ON t.id = c.text_id JOIN embeddings e ON e.text_id = t.id AND e.embedder = ?`,
    )
    .all(readMeta(db, "embedder") ?? "")
    .map(({ path, hash }) => vectorId(path, hash));

/** @returns words out of the live texts, rare and common ones */
export function someTerms(db: IndexDb, n: number, random: Random): string[] {
  const texts = db
    .prepare<[], string>(
      "SELECT DISTINCT t.text FROM live JOIN chunks USING (blob_id) JOIN texts t ON t.id = text_id",
    )
    .pluck()
    .all();
  return Array.from({ length: n }, () => termsOf(random.pick(texts)))
    .map((terms) => (terms.length ? random.pick(terms) : "value"))
    .filter((term) => /^[\w$]+$/.test(term));
}

const TABLES: readonly (readonly [string, string])[] = [
  ["live", "SELECT path, blob, live.language, live.bytes FROM live JOIN blobs ON blobs.id = live.blob_id"],
  [
    "file",
    "SELECT path, blob, f.language, f.bytes, skip_reason FROM files f LEFT JOIN blobs ON blobs.id = f.blob_id",
  ],
  ["document", "SELECT path FROM documents"],
  [
    "chunk",
    `SELECT path, ordinal, kind, name, container, signature, start_line, end_line, text_hash
     FROM live JOIN chunks c USING (blob_id) JOIN texts t ON t.id = c.text_id`,
  ],
  [
    "symbol",
    `SELECT path, ordinal, name, kind, signature, container, start_line, end_line, exported
     FROM live JOIN symbols USING (blob_id)`,
  ],
  [
    "reference",
    "SELECT path, ordinal, name, kind, line, enclosing, receiver FROM live JOIN refs USING (blob_id)",
  ],
  [
    "import",
    "SELECT path, ordinal, specifier, name, local, line, exported FROM live JOIN imports USING (blob_id)",
  ],
];

const HITS = `SELECT path, ordinal FROM terms JOIN chunks c ON c.text_id = terms.rowid JOIN live USING (blob_id)
  WHERE terms MATCH ?`;

/** Empty lines alone have no embedding. */
const NOT_EMBEDDED = `SELECT path, ordinal FROM live JOIN chunks c USING (blob_id) JOIN texts t ON t.id = c.text_id
  WHERE trim(t.text, ' ' || char(9, 10, 11, 12, 13)) <> ''
    AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.text_id = t.id AND e.embedder = ?)`;

const notEmbedded = (db: IndexDb): string[] =>
  linesOf(db, "without an embedding", NOT_EMBEDDED, readMeta(db, "embedder") ?? "");

const linesOf = (db: IndexDb, name: string, sql: string, ...params: string[]): string[] =>
  db
    .prepare<string[], unknown[]>(sql)
    .raw()
    .all(...params)
    .map((row) => `${name} ${JSON.stringify(row)}`);
