/** Which of a workspace's collections is written and which one is asked; `meta` tells the server. */
import { type IndexDb, type MetaKey, prepared, readMeta } from "@dhi/core/index-db";

export interface CollectionChoice {
  /** The one to write. */
  current(): string;
  /** Queries go to the one that is written. */
  isComplete(): boolean;
  /** From now on they do. */
  complete(): void;
  /** Starts a new one that will replace it. */
  renew(): void;
  /** What the names of this workspace's collections start with. */
  readonly prefix: string;
}

export interface CollectionChoiceDeps {
  readonly db: IndexDb;
  readonly embedderId: string;
  /** Name of the first collection with these vectors; a rebuilt one gets a number behind it. It may change. */
  readonly baseName: () => string;
  readonly prefix: string;
}

/**
 * A collection made with other settings keeps answering until the new one is complete. Where there is none, the new one
 * is named at once and answers with what it has.
 */
export function chooseCollection({
  db,
  embedderId,
  baseName,
  prefix,
}: CollectionChoiceDeps): CollectionChoice {
  const numberOf = (name: string | undefined): number | undefined => {
    if (name === baseName()) return 1;
    const [, number] = name?.startsWith(baseName())
      ? (/^-(\d+)$/.exec(name.slice(baseName().length)) ?? [])
      : [];
    return number === undefined ? undefined : Number(number);
  };
  /** A kill in the middle of building one goes on with that one. */
  const number = () => numberOf(readMeta(db, "building")) ?? numberOf(readMeta(db, "collection")) ?? 1;
  const nameOf = (n: number) => (n === 1 ? baseName() : `${baseName()}-${n}`);
  const current = () => nameOf(number());

  const complete = db.transaction(() => {
    setMeta(db, "collection", current());
    setMeta(db, "embedder", embedderId);
    prepared<[MetaKey], never>(db, "DELETE FROM meta WHERE key = ?").run("building");
  });
  if (readMeta(db, "collection") === undefined) complete();

  return {
    prefix,
    current,
    isComplete: () => readMeta(db, "collection") === current() && readMeta(db, "embedder") === embedderId,
    complete,
    renew: () => setMeta(db, "building", nameOf(number() + 1)),
  };
}

function setMeta(db: IndexDb, key: MetaKey, value: string): void {
  prepared<[string, string], never>(db, "INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
}
