/**
 * `index.db`: everything the index knows, in SQLite. The indexer is the only writer; the server opens it read-only.
 *
 * Identity is content: chunks, symbols, references and terms hang on a blob (git's id of a file's bytes) read as one
 * language. `files` says which blob lies at which path on the disk, `documents` which one an editor has open unsaved, and
 * `live` which one counts. A query joins through `live`, so it never returns what is not in the tree right now.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";

export type IndexDb = Database.Database;

/** Raised when a table changes shape; an index of another version is set aside and built anew. */
export const SCHEMA_VERSION = 4;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- The work tree as of the last change seen. blob_id is NULL for a file that is skipped.
  -- mtime_ms: when content or entry changed, whichever is later; NULL: look inside at the next sync.
  CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, blob_id INTEGER, language TEXT NOT NULL, bytes INTEGER NOT NULL, mtime_ms REAL,
    skip_reason TEXT
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS files_by_blob ON files(blob_id);
  -- Unsaved buffers of editors: each stands for the file at its path, which may be none. blob_id is NULL when it is skipped.
  CREATE TABLE IF NOT EXISTS documents (
    path TEXT PRIMARY KEY, version INTEGER NOT NULL, blob_id INTEGER, language TEXT NOT NULL, bytes INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS documents_by_blob ON documents(blob_id);
  -- What every query sees: documents, and the files of no document, that are not skipped. Changed together with them.
  CREATE TABLE IF NOT EXISTS live (
    path TEXT PRIMARY KEY, blob_id INTEGER NOT NULL, language TEXT NOT NULL, bytes INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS live_by_blob ON live(blob_id);
  -- The last paths of live that changed, the newest last: who has read them all need not read live again.
  CREATE TABLE IF NOT EXISTS changes (seq INTEGER PRIMARY KEY, path TEXT NOT NULL);
  CREATE TRIGGER IF NOT EXISTS changes_put AFTER INSERT ON changes BEGIN
    DELETE FROM changes WHERE seq <= new.seq - 10000;
  END;
  CREATE TRIGGER IF NOT EXISTS live_put AFTER INSERT ON live BEGIN
    INSERT INTO changes (path) VALUES (new.path);
  END;
  CREATE TRIGGER IF NOT EXISTS live_set AFTER UPDATE ON live BEGIN
    INSERT INTO changes (path) VALUES (old.path), (new.path);
  END;
  CREATE TRIGGER IF NOT EXISTS live_gone AFTER DELETE ON live BEGIN
    INSERT INTO changes (path) VALUES (old.path);
  END;

  -- Analysed contents, of this tree and of every tree seen before. used_at: Unix seconds, when it last became live or
  -- ceased to be. moved_at: when git last did that, which may do it again; 0: never.
  CREATE TABLE IF NOT EXISTS blobs (
    id INTEGER PRIMARY KEY, blob TEXT NOT NULL, language TEXT NOT NULL, chunker TEXT NOT NULL, bytes INTEGER NOT NULL,
    chunks INTEGER NOT NULL, symbols INTEGER NOT NULL, used_at INTEGER NOT NULL,
    moved_at INTEGER NOT NULL DEFAULT 0, UNIQUE (blob, language)
  );
  -- A newer chunker may find something else in a content that lies where it lay.
  CREATE TRIGGER IF NOT EXISTS blobs_read_anew AFTER UPDATE OF chunker ON blobs
    WHEN old.chunker NOT IN ('', new.chunker) BEGIN
    INSERT INTO changes (path) SELECT path FROM live WHERE blob_id = new.id;
  END;
  CREATE TABLE IF NOT EXISTS chunks (
    blob_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT, container TEXT, signature TEXT,
    start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, text_id INTEGER NOT NULL, PRIMARY KEY (blob_id, ordinal)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS chunks_by_text ON chunks(text_id);
  CREATE TABLE IF NOT EXISTS symbols (
    blob_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, signature TEXT NOT NULL,
    container TEXT, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, exported INTEGER NOT NULL,
    PRIMARY KEY (blob_id, ordinal)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS symbols_by_name ON symbols(name);
  -- See SymbolReference and ImportedName. Where an import leads depends on the tree, so that is asked, not stored.
  CREATE TABLE IF NOT EXISTS refs (
    blob_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, line INTEGER NOT NULL,
    enclosing TEXT, receiver TEXT, PRIMARY KEY (blob_id, ordinal)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS refs_by_name ON refs(name);
  CREATE TABLE IF NOT EXISTS imports (
    blob_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, specifier TEXT NOT NULL, name TEXT NOT NULL, local TEXT NOT NULL,
    line INTEGER NOT NULL, exported INTEGER NOT NULL, PRIMARY KEY (blob_id, ordinal)
  ) WITHOUT ROWID;
  -- Few, so small: what else a definition is called. A query must repeat the condition to use it.
  CREATE INDEX IF NOT EXISTS imports_renamed ON imports(name, local)
    WHERE local <> name AND local <> '' AND name <> '' AND name <> '*' AND name <> 'default';

  -- What TypeScript's language service knows of the file at a path, as of the content it looked at (0: to be looked at
  -- again). shape: another one when the types of its exports change. failure: why nothing is known.
  CREATE TABLE IF NOT EXISTS typed_files (
    path TEXT PRIMARY KEY, blob_id INTEGER NOT NULL, project TEXT NOT NULL, shape TEXT NOT NULL, failure TEXT
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS typed_files_by_project ON typed_files(project);
  CREATE INDEX IF NOT EXISTS typed_files_again ON typed_files(path) WHERE blob_id = 0;
  CREATE TABLE IF NOT EXISTS typed_imports (
    path TEXT NOT NULL, imported TEXT NOT NULL, PRIMARY KEY (path, imported)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS typed_imports_by_imported ON typed_imports(imported);
  -- inputs: what decides how it is read, as JSON; stamp: how that was when it was read.
  CREATE TABLE IF NOT EXISTS typed_projects (
    project TEXT PRIMARY KEY, inputs TEXT NOT NULL, stamp TEXT NOT NULL
  ) WITHOUT ROWID;
  -- What an expression in the file can begin with. end_line: the last one where it can be seen. type_id: of what can be
  -- called (kind function), the type that it returns.
  CREATE TABLE IF NOT EXISTS typed_names (
    path TEXT NOT NULL, name TEXT NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL, line INTEGER NOT NULL,
    end_line INTEGER NOT NULL, type TEXT NOT NULL, type_id INTEGER, signature TEXT, PRIMARY KEY (path, name, ordinal)
  ) WITHOUT ROWID;
  -- path: the file that declares it, in this workspace. target_id: the generic type it is an instance of, with args
  -- (JSON: [[id or null, text], …]) for its params (JSON: [id, …]); of a type parameter, its constraint.
  CREATE TABLE IF NOT EXISTS types (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, text TEXT NOT NULL, path TEXT, target_id INTEGER, args TEXT,
    params TEXT, returns_id INTEGER, constructs_id INTEGER, element_id INTEGER, digest TEXT
  );
  -- access: private or protected. result_id: type of a property, or what a method returns.
  CREATE TABLE IF NOT EXISTS type_members (
    type_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, signature TEXT NOT NULL,
    access TEXT, result_id INTEGER, PRIMARY KEY (type_id, ordinal)
  ) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY, text_hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
  -- rowid = texts.id; holds termsOf(text), which splits identifiers on case and _. Without positions (detail=none or
  -- column) a contentless table has nothing to count for bm25: every rank is 0.
  CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5(
    words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_$'"
  );
  -- vector: see vector-blob.ts. With rowids, since whether there is one is asked more often than what it is.
  CREATE TABLE IF NOT EXISTS embeddings (
    text_id INTEGER NOT NULL, embedder TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (text_id, embedder)
  );
  -- What Chroma has acknowledged. collection is Chroma's own id of it, so a deleted volume reads as empty.
  CREATE TABLE IF NOT EXISTS vectors (
    collection TEXT NOT NULL, id TEXT NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
    PRIMARY KEY (collection, id)
  ) WITHOUT ROWID;
  -- slots: vectors ever added to the collection, since Chroma never reuses the place of a deleted one.
  CREATE TABLE IF NOT EXISTS collections (id TEXT PRIMARY KEY, slots INTEGER NOT NULL) WITHOUT ROWID;
`;

/**
 * Keys of `meta`: `workspace` (absolute path), `name`, `embedder` (id), `collection` (Chroma's name for it). The server
 * reads them to query with what the index was built with. `complete`: the whole tree was taken in once.
 * `building`: a collection that will replace the other once it is complete. `tree`: the stamp of the tree that was last
 * taken in as a whole, see WorkTree in the indexer.
 */
export type MetaKey =
  | "workspace"
  | "name"
  | "embedder"
  | "collection"
  | "complete"
  | "building"
  | "tree"
  | "skipRules";

/** Folder of one workspace's index: readable name, and a hash of the full path so that two `api` folders stay apart. */
export function indexDir(dhiHome: string, workspace: string): string {
  const slug = basename(workspace).replaceAll(/[^\w.-]+/g, "-") || "root";
  const hash = createHash("sha1").update(workspace).digest("hex").slice(0, 8);
  return join(dhiHome, "index", `${slug}-${hash}`);
}

/** @throws when the folder cannot be written */
export function openIndexForWriting(dir: string): IndexDb {
  mkdirSync(dir, { recursive: true });
  const db = new Database(join(dir, "index.db"));
  // Takes effect while there is no table yet. What is deleted can then be given back a little at a time.
  db.pragma("auto_vacuum = INCREMENTAL");
  db.pragma("journal_mode = WAL");
  // Else the log keeps the size that the largest transaction gave it.
  db.pragma("journal_size_limit = 16777216");
  // 16 MB instead of 4: a page that one commit after the other changes is copied and synced less often.
  db.pragma("wal_autocheckpoint = 4096");
  // A crash of the machine may lose the last transactions, never the file; the next sync repairs what is missing.
  db.pragma("synchronous = NORMAL");
  db.pragma("busy_timeout = 5000");
  // Else SQLite looks for a folder for temporary files, which a container with a read-only root may not have.
  db.pragma("temp_store = MEMORY");
  db.exec(SCHEMA);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
  return db;
}

/** @returns `undefined` while the indexer has not made it */
export function openIndexForReading(dir: string): IndexDb | undefined {
  try {
    if (!readdirSync(dir).includes("index.db")) return undefined;
    const db = new Database(join(dir, "index.db"), { readonly: true, fileMustExist: true });
    if (db.pragma("user_version", { simple: true }) !== SCHEMA_VERSION) {
      db.close();
      return undefined;
    }
    db.pragma("busy_timeout = 200");
    // As for writing.
    db.pragma("temp_store = MEMORY");
    // Kilobytes, taken when needed. At 450,000 chunks, queries take a quarter to a third less time than with the usual 2 MB.
    db.pragma("cache_size = -32768");
    return db;
  } catch {
    return undefined;
  }
}

export function readMeta(db: IndexDb, key: MetaKey): string | undefined {
  return prepared<[string], { value: string }>(db, "SELECT value FROM meta WHERE key = ?").get(key)?.value;
}

/** git's id of a file's content. */
export const blobId = (content: Uint8Array): string =>
  createHash("sha1").update(`blob ${content.byteLength}\0`).update(content).digest("hex");

/** Key of a chunk's text. */
export const textHash = (text: string): string => createHash("sha1").update(text).digest("hex");

/** Chroma's id of a chunk: a file that holds the same text twice has one vector for it. */
export const vectorId = (path: string, hash: string): string => `${path}#${hash}`;

const statements = new WeakMap<IndexDb, Map<string, Database.Statement>>();

/** A statement prepared once per connection. The caller names the types of its parameters and of a row. */
export function prepared<Params extends unknown[], Row>(
  db: IndexDb,
  sql: string,
): Database.Statement<Params, Row> {
  const bySql = statements.get(db) ?? new Map<string, Database.Statement>();
  statements.set(db, bySql);
  const statement = bySql.get(sql) ?? db.prepare(sql);
  bySql.set(sql, statement);
  return statement as unknown as Database.Statement<Params, Row>;
}
