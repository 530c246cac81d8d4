/** What SQLite says when the disk fails it → whose disk, and what to do. */
import Database from "better-sqlite3";

export interface StorageProblem {
  /** `damaged`: what is in the file cannot be trusted. Anything else can pass by itself or be repaired from outside. */
  readonly kind: "full" | "read-only" | "unusable" | "damaged";
  /** One sentence for the log, the status and the editor. */
  readonly words: string;
}

/**
 * @param dir the folder of `index.db`
 * @returns `undefined` for an error that is not about the disk
 */
export function storageProblem(error: unknown, dir: string): StorageProblem | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined;
  const { code, message } = error;
  if (code === "SQLITE_FULL")
    return {
      kind: "full",
      words: `the index cannot grow: no room on the disk of ${dir}; free some space, and indexing goes on by itself`,
    };
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || code === "SQLITE_PERM")
    return {
      kind: "read-only",
      words: `the index cannot be written (${message}): make ${dir} writable, and indexing goes on by itself`,
    };
  if (code.startsWith("SQLITE_IOERR"))
    return {
      kind: "unusable",
      words: `the disk of ${dir} fails (${message}; ${code}): is it full, or was it removed? It is tried again`,
    };
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB")
    return { kind: "damaged", words: `index.db is damaged (${message}): it is set aside and built anew` };
  return undefined;
}
