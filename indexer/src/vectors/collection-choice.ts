/** Which of a workspace's collections is written and which one is asked; `meta` tells the server. */
import { type IndexDb, type MetaKey, prepared, readMeta } from "@dhi/core/index-db";
import type { CollectionChoice } from "./chroma-mirror.ts";

export interface CollectionChoiceDeps {
  readonly db: IndexDb;
  readonly embedderId: string;
  /** Name of the first collection with this embedder and chunker; a rebuilt one gets a number behind it. */
  readonly baseName: string;
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
  const generationOf = (name: string | undefined): number | undefined => {
    if (name === baseName) return 1;
    const number = name?.startsWith(`${baseName}-`) ? Number(name.slice(baseName.length + 1)) : Number.NaN;
    return Number.isInteger(number) ? number : undefined;
  };
  let generation = generationOf(readMeta(db, "collection")) ?? 1;
  const current = () => (generation === 1 ? baseName : `${baseName}-${generation}`);

  const announce = db.transaction(() => {
    setMeta(db, "embedder", embedderId);
    setMeta(db, "collection", current());
  });
  if (readMeta(db, "collection") === undefined) announce();

  return {
    prefix,
    current,
    complete() {
      if (readMeta(db, "collection") === current() && readMeta(db, "embedder") === embedderId) return false;
      announce();
      return true;
    },
    renew() {
      generation++;
    },
  };
}

function setMeta(db: IndexDb, key: MetaKey, value: string): void {
  prepared<[string, string], never>(db, "INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
}
