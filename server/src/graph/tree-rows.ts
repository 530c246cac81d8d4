/** What the graph reads of `index.db`: single rows by key, or a range of them, never a scan. */
import type { ImportedName } from "@dhi/core/chunk";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { BaseName, Entries, Located } from "./tree.ts";

export const isLive = (db: IndexDb, path: string): boolean =>
  prepared<[string], unknown>(db, "SELECT 1 FROM live WHERE path = ?").get(path) !== undefined;

export const isFolder = (db: IndexDb, path: string): boolean =>
  firstIn(db).get(`${path}/`, `${path}0`) !== undefined;

/** @returns `""` for what is not in the tree */
export const textOf = (db: IndexDb, path: string): string =>
  prepared<[string], { text: string }>(
    db,
    `SELECT texts.text FROM live CROSS JOIN chunks USING (blob_id) JOIN texts ON texts.id = text_id
     WHERE live.path = ? ORDER BY ordinal`,
  )
    .all(path)
    .map((row) => row.text)
    .join("");

export const importsOf = (db: IndexDb, path: string): ImportedName[] =>
  prepared<[string], Row<ImportedName>>(
    db,
    `SELECT specifier, name, local, line, exported FROM live CROSS JOIN imports USING (blob_id)
     WHERE live.path = ? ORDER BY ordinal`,
  )
    .all(path)
    .map(flagged);

export interface BaseRow extends BaseName {
  /** The definition that names it. */
  readonly enclosing: string | null;
}

export const basesOf = (db: IndexDb, path: string): BaseRow[] =>
  prepared<[string], BaseRow>(
    db,
    `SELECT name, receiver, line, enclosing FROM live CROSS JOIN refs USING (blob_id)
     WHERE live.path = ? AND kind = 'inherit' ORDER BY ordinal`,
  ).all(path);

const COLUMNS = `live.path, name, kind, signature, container, start_line AS startLine, end_line AS endLine, exported`;
const SYMBOLS = `SELECT ${COLUMNS} FROM live CROSS JOIN symbols USING (blob_id) WHERE live.path = ?`;

/** All that a file defines, the first `limit` in the order of the text. */
export const symbolsOf = (db: IndexDb, path: string, limit: number): Located[] =>
  prepared<[string, number], Row<Located>>(db, `${SYMBOLS} ORDER BY ordinal LIMIT ?`)
    .all(path, limit)
    .map(flagged);

/** Of all that a file defines, each once. */
export const namesIn = (db: IndexDb, path: string): string[] =>
  prepared<[string], { name: string }>(
    db,
    "SELECT DISTINCT name FROM live CROSS JOIN symbols USING (blob_id) WHERE live.path = ?",
  )
    .all(path)
    .map(({ name }) => name);

export const symbolsNamed = (db: IndexDb, path: string, name: string): Located[] =>
  prepared<[string, string], Row<Located>>(db, `${SYMBOLS} AND name = ? ORDER BY ordinal`)
    .all(path, name)
    .map(flagged);

/** Of several names at once. */
export const symbolsNamedAny = (db: IndexDb, path: string, names: readonly string[]): Located[] =>
  prepared<[string, string], Row<Located>>(
    db,
    `${SYMBOLS} AND name IN (SELECT value FROM json_each(?)) ORDER BY ordinal`,
  )
    .all(path, JSON.stringify(names))
    .map(flagged);

export function byName(symbols: readonly Located[]): Map<string, Located[]> {
  const named = new Map<string, Located[]>();
  for (const symbol of symbols) {
    const namesakes = named.get(symbol.name);
    if (namesakes) namesakes.push(symbol);
    else named.set(symbol.name, [symbol]);
  }
  return named;
}

/** @returns those that nothing is called, in the tree or out of it */
export const namesOfNothing = (db: IndexDb, names: readonly string[]): string[] =>
  prepared<[string], { name: string }>(
    db,
    `SELECT value AS name FROM json_each(?)
     WHERE NOT EXISTS (SELECT 1 FROM symbols WHERE symbols.name = json_each.value)`,
  )
    .all(JSON.stringify(names))
    .map(({ name }) => name);

export const symbolsInside = (
  db: IndexDb,
  path: string,
  container: string | null,
  limit: number,
): Located[] =>
  prepared<[string, string | null, number], Row<Located>>(
    db,
    `${SYMBOLS} AND container IS ? ORDER BY ordinal LIMIT ?`,
  )
    .all(path, container, limit)
    .map(flagged);

export const modulesOf = (db: IndexDb, path: string): Located[] =>
  prepared<[string], Row<Located>>(db, `${SYMBOLS} AND kind = 'module' ORDER BY ordinal`)
    .all(path)
    .map(flagged);

/** What the whole tree defines under a name; of a common one some, in no order. */
export const definitionsNamed = (db: IndexDb, name: string, limit: number): Located[] =>
  prepared<[string, number], Row<Located>>(
    db,
    `SELECT ${COLUMNS} FROM symbols CROSS JOIN live USING (blob_id) WHERE name = ? LIMIT ?`,
  )
    .all(name, limit)
    .map(flagged);

/** From one entry to the next by the key, so that what lies deeper is never read. @param most how many there are at most */
export function entriesOf(db: IndexDb, folder: string, most: number): Entries {
  const start = folder === "" ? "" : `${folder}/`;
  // "0" is the character after "/".
  const end = folder === "" ? "\u{10ffff}" : `${folder}0`;
  const next = firstIn(db);
  const files: string[] = [];
  const folders: string[] = [];
  for (let at = start; files.length + folders.length < most; ) {
    const path = next.get(at, end)?.path;
    if (path === undefined) break;
    const slash = path.indexOf("/", start.length);
    if (slash < 0) files.push(path);
    else folders.push(path.slice(0, slash));
    at = slash < 0 ? `${path}\0` : `${path.slice(0, slash)}0`;
  }
  return { files, folders };
}

const firstIn = (db: IndexDb) =>
  prepared<[string, string], { path: string }>(
    db,
    "SELECT path FROM live WHERE path >= ? AND path < ? ORDER BY path LIMIT 1",
  );

/** A row's flags are numbers. */
type Row<T> = Omit<T, "exported"> & { readonly exported: 0 | 1 };

const flagged = <T extends { readonly exported: 0 | 1 }>(
  row: T,
): Omit<T, "exported"> & { exported: boolean } => ({
  ...row,
  exported: row.exported === 1,
});
