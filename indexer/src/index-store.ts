/**
 * What the indexer writes into `index.db`, in transactions: a kill leaves no half of anything. Analyses are gathered and
 * written together, at the latest before a path points to one, because a commit costs as much as chunking a file.
 */
import { CHUNKER_VERSION, type SkipReason } from "@dhi/core/chunk";
import { type IndexDb, type MetaKey, prepared, readMeta } from "@dhi/core/index-db";
import type { Analysis } from "./analysis.ts";
import { removeBlob } from "./dead-blobs.ts";
import { type TextVectors, writeAnalysis } from "./write-analysis.ts";

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
  /** Files of the disk, whatever documents stand for them. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** A file's bytes, read as one language. */
export type Content = Pick<FileRow, "blob" | "language">;

export interface IndexStore {
  /** @param scope paths of files and folders; `""` is everything */
  files(scope: readonly string[]): KnownFile[];
  isAnalysed(blob: string, language: string): boolean;
  /** Replaces what an older chunker found in the blob. */
  putAnalysis(blob: string, language: string, analysis: Analysis, vectors?: TextVectors): void;
  chunkCount(row: FileRow): number;
  /**
   * Changes what lies where, all paths at once: a reader sees the tree before or after, never a mixture.
   *
   * @param byGit git did it, so that git may bring back what goes
   */
  setMembership(put: readonly FileRow[], remove: readonly string[], byGit?: boolean): void;
  /** Has an unsaved buffer stand for its path. One that equals the file ends instead. */
  putDocument(document: FileRow, version: number): void;
  /** The file stands for itself again. A path that has no document stays as it is. */
  closeDocument(path: string): void;
  documentVersion(path: string): number | undefined;
  /** With what only they held: they come from another process, whose editor sends them again. */
  closeAllDocuments(): void;
  /**
   * Forgets those contents that lie at no path, with the texts that no other content has.
   *
   * @returns the one that cannot be forgotten before there is a newer content
   */
  forgetUnused(contents: readonly Content[]): readonly Content[];
  /** Whether the whole tree was taken in once: until then what is missing is not known to be missing. */
  isComplete(): boolean;
  markComplete(): void;
  /** Has the next sync look into every file again when other rules for skipping built this index. */
  useSkipRules(version: string): void;
  meta(key: MetaKey): string | undefined;
  setMeta(key: MetaKey, value: string): void;
  counts(): IndexCounts;
}

export function createIndexStore(db: IndexDb): IndexStore {
  const gathered = new Map<string, GatheredAnalysis>();
  let gatheredChunks = 0;
  let counts: IndexCounts | undefined;
  const keyOf = (blob: string, language: string) => `${blob} ${language}`;

  /**
   * Writes what is gathered, with what is to be written in the same transaction. Whatever fails: another lane's paths are
   * about to point to what is gathered, so it stays; but not for ever, since it may be what fails.
   */
  function writeGathered(more: () => void = () => {}): void {
    const all = [...gathered];
    gathered.clear();
    gatheredChunks = 0;
    try {
      db.transaction(() => {
        for (const [, { blob, language, analysis, vectors }] of all)
          if (writeAnalysis(db, blob, language, analysis, vectors) === "replaced") counts = undefined;
        more();
      })();
    } catch (error) {
      for (const [key, one] of all) if (one.tries < MOST_TRIES) gather(key, { ...one, tries: one.tries + 1 });
      throw error;
    }
  }
  function gather(key: string, one: GatheredAnalysis): void {
    gathered.set(key, one);
    gatheredChunks += one.analysis.chunks.length;
  }
  /** Counts follow the rows that change, since counting reads the whole index. */
  function change(write: (tally: Tally) => void, byGit = false): void {
    const tally = createTally({ at: Math.floor(Date.now() / 1000), byGit });
    writeGathered(() => write(tally));
    if (counts) counts = tally.addTo(counts);
  }

  const forgetUnused = db.transaction((contents: readonly Content[]): readonly Content[] => {
    const newest = prepared<[], { id: number | null }>(db, "SELECT max(id) AS id FROM blobs").get()?.id;
    let kept: Content | undefined;
    for (const content of contents) {
      const row = content.blob === null ? undefined : blobRow(db, content.blob, content.language);
      if (row?.id === newest) kept = content;
      if (row) removeBlob(db, row.id);
    }
    return kept ? [kept] : [];
  });

  return {
    files: (scope) => knownFiles(db, scope),
    isAnalysed: (blob, language) =>
      gathered.has(keyOf(blob, language)) ||
      prepared<[string, string], { chunker: string }>(
        db,
        "SELECT chunker FROM blobs WHERE blob = ? AND language = ?",
      ).get(blob, language)?.chunker === CHUNKER_VERSION,
    putAnalysis(blob, language, analysis, vectors) {
      gather(keyOf(blob, language), { blob, language, analysis, vectors, tries: 1 });
      if (gathered.size >= GATHER_FILES || gatheredChunks >= GATHER_CHUNKS) writeGathered();
    },
    chunkCount: ({ blob, language }) =>
      blob === null
        ? 0
        : (gathered.get(keyOf(blob, language))?.analysis.chunks.length ??
          blobRow(db, blob, language)?.chunks ??
          0),
    setMembership(put, remove, byGit) {
      change((tally) => {
        for (const path of remove) removeFile(db, path, tally);
        for (const file of put) putFile(db, file, tally);
      }, byGit);
    },
    putDocument(document, version) {
      change((tally) => putDocument(db, document, version, tally));
    },
    closeDocument(path) {
      change((tally) => closeDocument(db, path, tally));
    },
    documentVersion: (path) =>
      prepared<[string], { version: number }>(db, "SELECT version FROM documents WHERE path = ?").get(path)
        ?.version,
    closeAllDocuments() {
      const all = prepared<[], { path: string; blob: string | null; language: string }>(
        db,
        "SELECT path, blob, documents.language FROM documents LEFT JOIN blobs ON blobs.id = blob_id",
      ).all();
      if (!all.length) return;
      change((tally) => {
        for (const { path } of all) closeDocument(db, path, tally);
      });
      forgetUnused(all);
    },
    forgetUnused: (contents) => (contents.length ? forgetUnused(contents) : contents),
    isComplete: () => readMeta(db, "complete") !== undefined,
    markComplete: () => setMeta(db, "complete", "yes"),
    useSkipRules(version) {
      if (readMeta(db, "skipRules") === version) return;
      prepared(db, "UPDATE files SET mtime_ms = NULL").run();
      setMeta(db, "skipRules", version);
    },
    meta: (key) => readMeta(db, key),
    setMeta: (key, value) => setMeta(db, key, value),
    counts() {
      counts ??= countAll(db);
      return counts;
    },
  };
}

function setMeta(db: IndexDb, key: MetaKey, value: string): void {
  if (readMeta(db, key) !== value)
    prepared<[string, string], never>(db, "INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
}

interface GatheredAnalysis {
  readonly blob: string;
  readonly language: string;
  readonly analysis: Analysis;
  readonly vectors: TextVectors | undefined;
  /** How often it will have been tried to write it, when it is next. */
  readonly tries: number;
}

const MOST_TRIES = 3;

/**
 * As many as a kill may cost, and as a reader of the API may wait for: about 100 ms. A commit writes each page of the four
 * indexes that its names and hashes are scattered over, so that a third of this writes half as much again.
 */
const GATHER_FILES = 96;
const GATHER_CHUNKS = 1_500;

interface BlobRow {
  readonly id: number;
  readonly chunks: number;
  readonly symbols: number;
}

const blobRow = (db: IndexDb, blob: string, language: string): BlobRow | undefined =>
  prepared<[string, string], BlobRow>(
    db,
    "SELECT id, chunks, symbols FROM blobs WHERE blob = ? AND language = ?",
  ).get(blob, language);

function putFile(db: IndexDb, file: FileRow, tally: Tally): void {
  const id = blobIdOf(db, file);
  tally.skip(skipOf(db, file.path), -1);
  tally.skip(file.skip, 1);
  prepared(
    db,
    "INSERT OR REPLACE INTO files (path, blob_id, language, bytes, mtime_ms, skip_reason) VALUES (?, ?, ?, ?, ?, ?)",
  ).run(file.path, id, file.language, file.bytes, file.changedMs, file.skip);
  const document = documentAt(db, file.path);
  if (document && document.id !== id) return;
  if (document) removeDocument(db, file.path);
  setLive(db, { ...file, id }, tally);
}

function removeFile(db: IndexDb, path: string, tally: Tally): void {
  tally.skip(skipOf(db, path), -1);
  prepared<[string], never>(db, "DELETE FROM files WHERE path = ?").run(path);
  if (!documentAt(db, path)) setLive(db, { path, id: null, language: "", bytes: 0 }, tally);
}

function putDocument(db: IndexDb, document: FileRow, version: number, tally: Tally): void {
  const { path, language, bytes } = document;
  const id = blobIdOf(db, document);
  if (id !== null && fileAt(db, path)?.id === id) removeDocument(db, path);
  else
    prepared(
      db,
      "INSERT OR REPLACE INTO documents (path, version, blob_id, language, bytes) VALUES (?, ?, ?, ?, ?)",
    ).run(path, version, id, language, bytes);
  setLive(db, { path, id, language, bytes }, tally);
}

function closeDocument(db: IndexDb, path: string, tally: Tally): void {
  if (!documentAt(db, path)) return;
  removeDocument(db, path);
  setLive(db, { path, ...(fileAt(db, path) ?? { id: null, language: "", bytes: 0 }) }, tally);
}

const removeDocument = (db: IndexDb, path: string) =>
  prepared<[string], never>(db, "DELETE FROM documents WHERE path = ?").run(path);

interface LiveRow {
  readonly path: string;
  /** `null`: nothing is live here. */
  readonly id: number | null;
  readonly language: string;
  readonly bytes: number;
}

const documentAt = (db: IndexDb, path: string) =>
  prepared<[string], { id: number | null }>(db, "SELECT blob_id AS id FROM documents WHERE path = ?").get(
    path,
  );
const fileAt = (db: IndexDb, path: string) =>
  prepared<[string], Omit<LiveRow, "path">>(
    db,
    "SELECT blob_id AS id, language, bytes FROM files WHERE path = ?",
  ).get(path);
const skipOf = (db: IndexDb, path: string) =>
  prepared<[string], { skip: SkipReason | null }>(
    db,
    "SELECT skip_reason AS skip FROM files WHERE path = ?",
  ).get(path)?.skip ?? null;

function blobIdOf(db: IndexDb, { path, blob, language }: FileRow): number | null {
  if (blob === null) return null;
  const row = blobRow(db, blob, language);
  if (!row) throw new Error(`${path}: blob ${blob} was not analysed before it became live`);
  return row.id;
}

/** Leaves a row that says so already untouched: whoever watches `live` compares what changed. */
function setLive(db: IndexDb, { path, id, language, bytes }: LiveRow, tally: Tally): void {
  const before = prepared<[string], { id: number }>(db, "SELECT blob_id AS id FROM live WHERE path = ?").get(
    path,
  );
  if ((before?.id ?? null) === id) return;
  if (before) tally.blob(touch(db, before.id, tally.moment), -1);
  if (id === null) {
    prepared<[string], never>(db, "DELETE FROM live WHERE path = ?").run(path);
    return;
  }
  tally.blob(touch(db, id, tally.moment), 1);
  prepared(db, "INSERT OR REPLACE INTO live (path, blob_id, language, bytes) VALUES (?, ?, ?, ?)").run(
    path,
    id,
    language,
    bytes,
  );
}

/** When a transaction changes the tree: the same moment for all that it changes. */
interface Moment {
  /** Unix seconds. */
  readonly at: number;
  readonly byGit: boolean;
}

/** Notes when the blob last became live or stopped being so. */
const touch = (db: IndexDb, id: number, { at, byGit }: Moment): BlobRow | undefined =>
  prepared<[Record<string, number>], BlobRow>(
    db,
    `UPDATE blobs SET used_at = :at, moved_at = max(moved_at, :movedAt) WHERE id = :id
     RETURNING id, chunks, symbols`,
  ).get({ id, at, movedAt: byGit ? at : 0 });

/** What a transaction changes of the counts. */
interface Tally {
  readonly moment: Moment;
  blob(row: BlobRow | undefined, by: 1 | -1): void;
  skip(reason: SkipReason | null, by: 1 | -1): void;
  addTo(counts: IndexCounts): IndexCounts;
}

function createTally(moment: Moment): Tally {
  let files = 0;
  let chunks = 0;
  let symbols = 0;
  const skipped = new Map<string, number>();
  return {
    moment,
    blob(row, by) {
      files += by;
      chunks += by * (row?.chunks ?? 0);
      symbols += by * (row?.symbols ?? 0);
    },
    skip(reason, by) {
      if (reason) skipped.set(reason, (skipped.get(reason) ?? 0) + by);
    },
    addTo(counts) {
      const all = new Map(Object.entries(counts.skipped));
      for (const [reason, by] of skipped) all.set(reason, (all.get(reason) ?? 0) + by);
      return {
        files: counts.files + files,
        chunks: counts.chunks + chunks,
        symbols: counts.symbols + symbols,
        skipped: Object.fromEntries([...all].filter(([, n]) => n > 0)),
      };
    },
  };
}

function countAll(db: IndexDb): IndexCounts {
  const skipped = prepared<[], { reason: string; n: number }>(
    db,
    `SELECT skip_reason AS reason, count(*) AS n FROM files WHERE skip_reason IS NOT NULL GROUP BY skip_reason`,
  ).all();
  const live = prepared<[], Omit<IndexCounts, "skipped">>(
    db,
    `SELECT count(*) AS files, coalesce(sum(blobs.chunks), 0) AS chunks, coalesce(sum(blobs.symbols), 0) AS symbols
     FROM live JOIN blobs ON blobs.id = live.blob_id`,
  ).get();
  return {
    ...(live ?? { files: 0, chunks: 0, symbols: 0 }),
    skipped: Object.fromEntries(skipped.map(({ reason, n }) => [reason, n])),
  };
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
    SELECT path, blob, files.language, files.bytes, mtime_ms AS changedMs, skip_reason AS skip,
      coalesce(chunker = ?, 0) AS analysed
    FROM files LEFT JOIN blobs ON blobs.id = blob_id`;
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
