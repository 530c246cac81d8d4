/**
 * The live tree as the graph asks about it: single rows by key, never a scan, and each answer kept until the index changes.
 * So the first question about a file costs some microseconds, at 100,000 files as at ten.
 */
import type { ImportedName, SymbolDefinition } from "@dhi/core/chunk";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { dataVersion } from "../instant/repository-files.ts";

/** A definition and its file. */
export interface Located extends SymbolDefinition {
  readonly path: string;
}

/** As `SymbolReference.enclosing` and `container` name it: `Invoice.total`. */
export const qualified = ({ container, name }: Pick<Located, "container" | "name">): string =>
  container === null ? name : `${container}.${name}`;

export interface Entries {
  /** Full paths. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

export interface Tree {
  has(path: string): boolean;
  hasFolder(path: string): boolean;
  /** @returns `""` for what is not in the tree */
  text(path: string): string;
  imports(path: string): readonly ImportedName[];
  /** What a file defines under a name, at any depth. */
  symbols(path: string, name: string): readonly Located[];
  /** What stands directly inside a definition of a file, by `Container.Name`; `null`: at its top level. At most {@link MAX_ENTRIES}. */
  inside(path: string, container: string | null): readonly Located[];
  /** What the whole tree defines under a name, at most {@link MAX_NAMESAKES}. */
  named(name: string): readonly Located[];
  /** Base classes, interfaces and traits that a definition of a file names, by `Container.Name`. */
  bases(path: string, definition: string): readonly BaseName[];
  /** The modules and namespaces that a file defines inside itself. */
  modulesIn(path: string): readonly Located[];
  /** What lies in a folder; `""` is the root. At most {@link MAX_ENTRIES} of it. */
  entries(folder: string): Entries;
  /**
   * Whatever is derived from the above: computed once.
   *
   * @param key the question and its arguments
   * @param meanwhile the answer for those who ask it while it is computed, such as a class that extends itself
   */
  once<T extends object | string>(key: string, compute: () => T, meanwhile?: T): T;
}

export interface BaseName {
  readonly name: string;
  readonly receiver: string | null;
  readonly line: number;
}

/** A name with more definitions says little, and reading them all would take long. */
export const MAX_NAMESAKES = 64;
export const MAX_ENTRIES = 1_000;

/** Answers kept; a whole workspace's worth is some 100 MB, so they are dropped now and then. */
const MAX_KEPT = 50_000;

interface Kept {
  readonly version: unknown;
  readonly tree: Tree;
}

const trees = new WeakMap<IndexDb, Kept>();

export function treeOf(db: IndexDb): Tree {
  const version = dataVersion(db);
  const known = trees.get(db);
  if (known && known.version === version) return known.tree;
  const tree = createTree(db);
  trees.set(db, { version, tree });
  return tree;
}

/** What the whole tree defines under a name; of a common one some, in no order. */
export function definitionsNamed(db: IndexDb, name: string, limit: number): Located[] {
  return prepared<[string, number], Row<Located>>(
    db,
    `SELECT live.path, name, kind, signature, container, start_line AS startLine, end_line AS endLine, exported
     FROM symbols CROSS JOIN live USING (blob_id) WHERE name = ? LIMIT ?`,
  )
    .all(name, limit)
    .map(flagged);
}

/** A row's flags are numbers. */
type Row<T> = Omit<T, "exported"> & { readonly exported: 0 | 1 };

const SYMBOL = `
  SELECT live.path, name, kind, signature, container, start_line AS startLine, end_line AS endLine, exported
  FROM live CROSS JOIN symbols USING (blob_id)`;

function createTree(db: IndexDb): Tree {
  const kept = new Map<string, unknown>();
  function once<T extends object | string>(key: string, compute: () => T, meanwhile?: T): T {
    const known = kept.get(key);
    // Keys name what is kept under them, so the type is the one it was put in with.
    if (known !== undefined) return known as T;
    if (meanwhile !== undefined) kept.set(key, meanwhile);
    const value = compute();
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, value);
    return value;
  }
  const blobOf = (path: string) =>
    once(`blob ${path}`, () => ({
      id: prepared<[string], { id: number }>(db, "SELECT blob_id AS id FROM live WHERE path = ?").get(path)
        ?.id,
    })).id;

  return {
    once,
    has: (path) => blobOf(path) !== undefined,
    hasFolder: (path) =>
      once(`folder ${path}`, () => ({ found: firstIn(db).get(`${path}/`, `${path}0`) !== undefined })).found,
    text: (path) =>
      once(`text ${path}`, () =>
        prepared<[string], { text: string }>(
          db,
          `SELECT texts.text FROM live CROSS JOIN chunks USING (blob_id) JOIN texts ON texts.id = text_id
           WHERE live.path = ? ORDER BY ordinal`,
        )
          .all(path)
          .map((row) => row.text)
          .join(""),
      ),
    imports: (path) =>
      once(`imports ${path}`, () =>
        prepared<[string], Row<ImportedName>>(
          db,
          `SELECT specifier, name, local, line, exported FROM live CROSS JOIN imports USING (blob_id)
           WHERE live.path = ? ORDER BY ordinal`,
        )
          .all(path)
          .map(flagged),
      ),
    symbols: (path, name) =>
      once(`symbols ${name} ${path}`, () =>
        prepared<[string, string], Row<Located>>(
          db,
          `${SYMBOL} WHERE live.path = ? AND name = ? ORDER BY ordinal`,
        )
          .all(path, name)
          .map(flagged),
      ),
    inside: (path, container) =>
      once(`inside ${container} ${path}`, () =>
        prepared<[string, string | null, number], Row<Located>>(
          db,
          `${SYMBOL} WHERE live.path = ? AND container IS ? ORDER BY ordinal LIMIT ?`,
        )
          .all(path, container, MAX_ENTRIES)
          .map(flagged),
      ),
    named: (name) => once(`named ${name}`, () => definitionsNamed(db, name, MAX_NAMESAKES)),
    bases: (path, definition) =>
      once(`bases ${path}`, () =>
        prepared<[string], BaseName & { enclosing: string | null }>(
          db,
          `SELECT name, receiver, line, enclosing FROM live CROSS JOIN refs USING (blob_id)
           WHERE live.path = ? AND kind = 'inherit' ORDER BY ordinal`,
        ).all(path),
      ).filter((base) => base.enclosing === definition),
    modulesIn: (path) =>
      once(`modules ${path}`, () =>
        prepared<[string], Row<Located>>(
          db,
          `${SYMBOL} WHERE live.path = ? AND kind = 'module' ORDER BY ordinal`,
        )
          .all(path)
          .map(flagged),
      ),
    entries: (folder) => once(`entries ${folder}`, () => entriesOf(db, folder)),
  };
}

const flagged = <T extends { readonly exported: 0 | 1 }>(
  row: T,
): Omit<T, "exported"> & { exported: boolean } => ({
  ...row,
  exported: row.exported === 1,
});

const firstIn = (db: IndexDb) =>
  prepared<[string, string], { path: string }>(
    db,
    "SELECT path FROM live WHERE path >= ? AND path < ? ORDER BY path LIMIT 1",
  );

/** From one entry to the next by the key, so that what lies deeper is never read. */
function entriesOf(db: IndexDb, folder: string): Entries {
  const start = folder === "" ? "" : `${folder}/`;
  // "0" is the character after "/".
  const end = folder === "" ? "\u{10ffff}" : `${folder}0`;
  const next = firstIn(db);
  const files: string[] = [];
  const folders: string[] = [];
  for (let at = start; files.length + folders.length < MAX_ENTRIES; ) {
    const path = next.get(at, end)?.path;
    if (path === undefined) break;
    const slash = path.indexOf("/", start.length);
    if (slash < 0) files.push(path);
    else folders.push(path.slice(0, slash));
    at = slash < 0 ? `${path}\0` : `${path.slice(0, slash)}0`;
  }
  return { files, folders };
}
