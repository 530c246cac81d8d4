/** Under which name an embedder's vectors are kept: its id, and their length once that has changed. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { vectorLength } from "@dhi/core/vector-blob";

export interface EmbeddingKey {
  /** `embeddings.embedder` */
  current(): string;
  /** For the name of a collection: empty, or the length, when vectors of another one came before. */
  suffix(): string;
  /**
   * Takes note of a vector just made.
   *
   * @returns whether vectors are kept under another name from now on: a model that was replaced under its old name makes
   * other ones, which never mix with the old
   */
  learn(vector: readonly number[]): boolean;
}

/** Goes on where the newest vector of the index is. */
export function embeddingKey(db: IndexDb, embedderId: string): EmbeddingKey {
  const known = prepared<[{ id: string }], { embedder: string; vector: Buffer }>(
    db,
    `SELECT embedder, vector FROM embeddings
     WHERE embedder = :id OR substr(embedder, 1, length(:id) + 1) = :id || '@' ORDER BY rowid DESC LIMIT 1`,
  ).get({ id: embedderId });
  let key = known?.embedder ?? embedderId;
  let length = known && vectorLength(known.vector);
  return {
    current: () => key,
    suffix: () => (key === embedderId ? "" : `-${key.slice(embedderId.length + 1)}d`),
    learn(vector) {
      if (length === vector.length) return false;
      const isOther = length !== undefined;
      length = vector.length;
      if (isOther) key = `${embedderId}@${length}`;
      return isOther;
    },
  };
}
