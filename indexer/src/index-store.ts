/**
 * What the indexer writes into `index.db`, in transactions: a kill leaves no half of anything. Analyses are gathered and
 * written together, at the latest before a path points to one, because a commit costs as much as chunking a file.
 */
import { CHUNKER_VERSION, type FileAnalysis, type SkipReason } from "@dhi/core/chunk";
import { termsOf } from "@dhi/core/identifiers";
import { type IndexDb, type MetaKey, prepared, readMeta, textHash } from "@dhi/core/index-db";

/** A row of `files`: what lies at a path. */
export interface FileRow {
  readonly path: string;
  /** `null` for a file that is skipped. */
  readonly blob: string | null;
  readonly language: string;
  readonly bytes: number;
  /** See `changedMs` in read-source.ts; `null` has the next sync look again. */
  readonly changedMs: number | null;
  readonly skip: SkipReason | null;
}

export interface KnownFile extends FileRow {
  /** Its blob has been read by this version of the chunker. */
  readonly analysed: boolean;
}

export interface IndexCounts {
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly skipped: Readonly<Record<string, number>>;
}

export interface IndexStore {
  /** @param scope paths of files and folders; `""` is everything */
  files(scope: readonly string[]): KnownFile[];
  isAnalysed(blob: string, language: string): boolean;
  /** Replaces what an older chunker found in the blob. */
  putAnalysis(blob: string, language: string, analysis: FileAnalysis): void;
  chunkCount(row: FileRow): number;
  /** Changes what lies where, all paths at once: a reader sees the tree before or after, never a mixture. */
  setMembership(put: readonly FileRow[], remove: readonly string[]): void;
  setMeta(key: MetaKey, value: string): void;
  counts(): IndexCounts;
}

export function createIndexStore(db: IndexDb): IndexStore {
  const gathered = new Map<string, GatheredAnalysis>();
  let gatheredChunks = 0;
  const keyOf = (blob: string, language: string) => `${blob} ${language}`;

  /** What fails to be written is not gathered again: its blob counts as not analysed. */
  function takeGathered(): GatheredAnalysis[] {
    const all = [...gathered.values()];
    gathered.clear();
    gatheredChunks = 0;
    return all;
  }
  const writeAnalyses = db.transaction((all: readonly GatheredAnalysis[]) => {
    for (const one of all) writeAnalysis(db, one);
  });
  const writeMembership = db.transaction((put: readonly FileRow[], remove: readonly string[]) => {
    writeAnalyses(takeGathered());
    for (const path of remove) prepared<[string], never>(db, "DELETE FROM files WHERE path = ?").run(path);
    for (const f of put)
      prepared(
        db,
        "INSERT OR REPLACE INTO files (path, blob, language, bytes, mtime_ms, skip_reason) VALUES (?, ?, ?, ?, ?, ?)",
      ).run(f.path, f.blob, f.language, f.bytes, f.changedMs, f.skip);
  });

  return {
    files: (scope) => knownFiles(db, scope),
    isAnalysed: (blob, language) =>
      gathered.has(keyOf(blob, language)) ||
      prepared<[string, string], { chunker: string }>(
        db,
        "SELECT chunker FROM blobs WHERE blob = ? AND language = ?",
      ).get(blob, language)?.chunker === CHUNKER_VERSION,
    putAnalysis(blob, language, analysis) {
      gathered.set(keyOf(blob, language), { blob, language, analysis });
      gatheredChunks += analysis.chunks.length;
      if (gathered.size >= GATHER_FILES || gatheredChunks >= GATHER_CHUNKS) writeAnalyses(takeGathered());
    },
    chunkCount: ({ blob, language }) =>
      blob === null
        ? 0
        : (gathered.get(keyOf(blob, language))?.analysis.chunks.length ??
          count(db, "SELECT count(*) AS n FROM chunks WHERE blob = ? AND language = ?", blob, language)),
    setMembership: writeMembership,
    setMeta(key, value) {
      if (readMeta(db, key) !== value)
        prepared<[string, string], never>(db, "INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
    },
    counts: () => ({
      files: count(db, "SELECT count(*) AS n FROM files WHERE blob IS NOT NULL"),
      // CROSS has SQLite start from the files; it would read every chunk first, five times slower.
      chunks: count(db, "SELECT count(*) AS n FROM files CROSS JOIN chunks USING (blob, language)"),
      symbols: count(db, "SELECT count(*) AS n FROM files CROSS JOIN symbols USING (blob, language)"),
      skipped: Object.fromEntries(
        prepared<[], { reason: string; n: number }>(
          db,
          "SELECT skip_reason AS reason, count(*) AS n FROM files WHERE blob IS NULL GROUP BY skip_reason",
        )
          .all()
          .map(({ reason, n }) => [reason, n]),
      ),
    }),
  };
}

interface GatheredAnalysis {
  readonly blob: string;
  readonly language: string;
  readonly analysis: FileAnalysis;
}

/** As many as a kill may cost, and as a reader of the API may wait for: about 50 ms. */
const GATHER_FILES = 32;
const GATHER_CHUNKS = 500;

function writeAnalysis(db: IndexDb, { blob, language, analysis }: GatheredAnalysis): void {
  prepared<[string, string], never>(db, "DELETE FROM chunks WHERE blob = ? AND language = ?").run(
    blob,
    language,
  );
  prepared<[string, string], never>(db, "DELETE FROM symbols WHERE blob = ? AND language = ?").run(
    blob,
    language,
  );
  analysis.chunks.forEach((c, ordinal) => {
    prepared(
      db,
      `INSERT INTO chunks (blob, language, ordinal, kind, name, container, signature, start_line, end_line, text_hash)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      blob,
      language,
      ordinal,
      c.kind,
      c.name,
      c.container,
      c.signature,
      c.startLine,
      c.endLine,
      putText(db, c.text),
    );
  });
  for (const s of analysis.symbols) {
    prepared(
      db,
      `INSERT INTO symbols (blob, language, name, kind, signature, container, start_line, end_line, exported)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      blob,
      language,
      s.name,
      s.kind,
      s.signature,
      s.container,
      s.startLine,
      s.endLine,
      s.exported ? 1 : 0,
    );
  }
  prepared<[string, string, string], never>(db, "INSERT OR REPLACE INTO blobs VALUES (?, ?, ?)").run(
    blob,
    language,
    CHUNKER_VERSION,
  );
}

/** @returns its hash; the text and its terms are stored once, however many chunks hold it */
function putText(db: IndexDb, text: string): string {
  const hash = textHash(text);
  const { changes, lastInsertRowid } = prepared<[string, string], never>(
    db,
    "INSERT OR IGNORE INTO texts (text_hash, text) VALUES (?, ?)",
  ).run(hash, text);
  if (changes)
    prepared<[number | bigint, string], never>(db, "INSERT INTO terms (rowid, words) VALUES (?, ?)").run(
      lastInsertRowid,
      termsOf(text).join(" "),
    );
  return hash;
}

interface KnownRow {
  path: string;
  blob: string | null;
  language: string;
  bytes: number;
  changedMs: number | null;
  skip: SkipReason | null;
  analysed: 0 | 1;
}

function knownFiles(db: IndexDb, scope: readonly string[]): KnownFile[] {
  const select = `
    SELECT path, blob, language, bytes, mtime_ms AS changedMs, skip_reason AS skip,
      EXISTS (SELECT 1 FROM blobs b WHERE b.blob = f.blob AND b.language = f.language AND b.chunker = ?) AS analysed
    FROM files f`;
  const rows = new Map<string, KnownRow>();
  for (const path of scope) {
    const found =
      path === ""
        ? prepared<[string], KnownRow>(db, select).all(CHUNKER_VERSION)
        : // "0" is the character after "/": the range is what lies beneath the folder.
          prepared<[string, string, string, string], KnownRow>(
            db,
            `${select} WHERE path = ? OR (path > ? AND path < ?)`,
          ).all(CHUNKER_VERSION, path, `${path}/`, `${path}0`);
    for (const row of found) rows.set(row.path, row);
  }
  return [...rows.values()].map((row) => ({ ...row, analysed: row.analysed === 1 }));
}

const count = (db: IndexDb, sql: string, ...params: string[]): number =>
  prepared<string[], { n: number }>(db, sql).get(...params)?.n ?? 0;
