/** Writes what the chunker found in one content. Runs inside the caller's transaction. */
import { CHUNKER_VERSION } from "@dhi/core/chunk";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { AnalysedChunk, Analysis } from "./analysis.ts";

/** Vectors of texts, by their hash, as `embeddings` keeps them. */
export interface TextVectors {
  readonly embedder: string;
  readonly byHash: ReadonlyMap<string, Uint8Array>;
}

/**
 * @param vectors of texts that had none
 * @returns `replaced` when an older chunker had read it before: its paths keep it, with other chunks
 */
export function writeAnalysis(
  db: IndexDb,
  blob: string,
  language: string,
  { bytes, chunks, symbols, references, imports }: Analysis,
  vectors: TextVectors | undefined,
): "new" | "replaced" {
  const before = prepared<[string, string], { id: number }>(
    db,
    "SELECT id FROM blobs WHERE blob = ? AND language = ?",
  ).get(blob, language);
  if (before) {
    for (const table of ["chunks", "symbols", "refs", "imports"])
      prepared<[number], never>(db, `DELETE FROM ${table} WHERE blob_id = ?`).run(before.id);
  }
  const id = before?.id ?? newBlob(db, blob, language);
  chunks.forEach((chunk, ordinal) => {
    const textId = putText(db, chunk);
    insertChunk(db, { blobId: id, ordinal, textId }, chunk);
    const vector = vectors?.byHash.get(chunk.textHash);
    if (vectors && vector)
      prepared(db, "INSERT OR IGNORE INTO embeddings VALUES (?, ?, ?)").run(
        ...[textId, vectors.embedder, vector],
      );
  });
  symbols.forEach((s, ordinal) => {
    prepared(db, "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      ...[id, ordinal, s.name, s.kind, s.signature, s.container, s.startLine, s.endLine, s.exported ? 1 : 0],
    );
  });
  references.forEach((r, ordinal) => {
    prepared(db, "INSERT INTO refs VALUES (?, ?, ?, ?, ?, ?, ?)").run(
      ...[id, ordinal, r.name, r.kind, r.line, r.enclosing, r.receiver],
    );
  });
  imports.forEach((i, ordinal) => {
    prepared(db, "INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?)").run(
      ...[id, ordinal, i.specifier, i.name, i.local, i.line, i.exported ? 1 : 0],
    );
  });
  // Last: whoever watches this row finds everything else in place.
  prepared(db, "UPDATE blobs SET chunker = ?, bytes = ?, chunks = ?, symbols = ? WHERE id = ?").run(
    ...[CHUNKER_VERSION, bytes, chunks.length, symbols.length, id],
  );
  return before ? "replaced" : "new";
}

function newBlob(db: IndexDb, blob: string, language: string): number {
  const { lastInsertRowid } = prepared<[string, string], never>(
    db,
    `INSERT INTO blobs (blob, language, chunker, bytes, chunks, symbols, used_at)
     VALUES (?, ?, '', 0, 0, 0, unixepoch())`,
  ).run(blob, language);
  return Number(lastInsertRowid);
}

interface ChunkPlace {
  readonly blobId: number;
  readonly ordinal: number;
  readonly textId: number;
}

function insertChunk(db: IndexDb, { blobId, ordinal, textId }: ChunkPlace, chunk: AnalysedChunk): void {
  const { kind, name, container, signature, startLine, endLine } = chunk;
  prepared(db, "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    ...[blobId, ordinal, kind, name, container, signature, startLine, endLine, textId],
  );
}

/** @returns its id; the text and its terms are stored once, however many chunks hold it */
function putText(db: IndexDb, { text, textHash, terms }: AnalysedChunk): number {
  const known = prepared<[string], { id: number }>(db, "SELECT id FROM texts WHERE text_hash = ?").get(
    textHash,
  );
  if (known) return known.id;
  const { lastInsertRowid } = prepared<[string, string], never>(
    db,
    "INSERT INTO texts (text_hash, text) VALUES (?, ?)",
  ).run(textHash, text);
  const id = Number(lastInsertRowid);
  prepared<[number, string], never>(db, "INSERT INTO terms (rowid, words) VALUES (?, ?)").run(id, terms);
  return id;
}
