/** What changed in an index since it was last looked at: the one way in which whatever keeps something of it follows. */
import { type IndexDb, prepared } from "@dhi/core/index-db";

/** Changes with every commit of the indexer, and costs next to nothing to ask. */
export const dataVersion = (db: IndexDb): unknown =>
  prepared<[], { data_version: number }>(db, "PRAGMA data_version").get()?.data_version;

/** Grows with each path that holds something else; see {@link changedSince}. */
export const lastChange = (db: IndexDb): number =>
  prepared<[], { seq: number | null }>(db, "SELECT max(seq) AS seq FROM changes").get()?.seq ?? 0;

/**
 * @param seq what {@link lastChange} was
 * @returns paths that hold something else since then, each once, the newest last; `undefined` when so much changed that it
 * is not known any more
 */
export function changedSince(db: IndexDb, seq: number): readonly string[] | undefined {
  const { paths, areAll } = newestChanges(db, seq);
  return areAll ? paths.toReversed() : undefined;
}

/** Not of a number from before this index was made, nor of one that is followed by what is not kept any more. */
function isKept(db: IndexDb, seq: number): boolean {
  const { first = null } =
    prepared<[], { first: number | null }>(db, "SELECT min(seq) AS first FROM changes").get() ?? {};
  return seq <= lastChange(db) && (first === null || first <= seq + 1);
}

export interface NewestChanges {
  /** See {@link lastChange}. */
  readonly last: number;
  /** The newest first, each once. */
  readonly paths: readonly string[];
  /** Otherwise others may have changed, too. */
  readonly areAll: boolean;
}

/** @param most rows that are read, several of which may be of one path; default: all there are */
export function newestChanges(db: IndexDb, seq: number, most = Number.POSITIVE_INFINITY): NewestChanges {
  // Of one moment: what the indexer commits between two questions would count as seen, and nobody would have read it.
  const read = db.transaction((): NewestChanges => {
    const isKnown = isKept(db, seq);
    const rows = prepared<[number, number], { path: string }>(
      db,
      // For SQLite a negative limit is none.
      "SELECT path FROM changes WHERE seq > ? ORDER BY seq DESC LIMIT ?",
    ).all(isKnown ? seq : 0, Number.isFinite(most) ? most : -1);
    const paths = [...new Set(rows.map(({ path }) => path))];
    return { last: lastChange(db), paths, areAll: isKnown && rows.length < most };
  });
  return read();
}
