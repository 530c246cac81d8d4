/** What the index keeps of one content: what the chunker found, and each chunk's key and terms. */
import type { Chunk, FileAnalysis } from "@dhi/core/chunk";
import { hashVector } from "@dhi/core/hash-embedder";
import { termsOf } from "@dhi/core/identifiers";
import { textHash } from "@dhi/core/index-db";
import type { Language } from "@dhi/core/languages";
import { toBlob } from "@dhi/core/vector-blob";
import type { Analyzer } from "./chunker/analyze.ts";
import { embeddedText, isEmbedded } from "./vectors/embedded-text.ts";

export interface AnalysedChunk extends Omit<Chunk, "searchText"> {
  /** What is found, embedded and shown: the chunk's `searchText` where it has one. */
  readonly text: string;
  readonly textHash: string;
  /** As the lexical index holds them, joined by spaces. */
  readonly terms: string;
  /** The hash embedder's, as `index.db` keeps it, where it was asked for. */
  readonly vector?: Uint8Array;
}

export interface Analysis extends Omit<FileAnalysis, "chunks"> {
  readonly chunks: readonly AnalysedChunk[];
  /** Length of the text in UTF-8. */
  readonly bytes: number;
}

/** @param embedAt the path to make vectors for, which is part of what is embedded; `undefined` for none */
export function analysisOf(analyzer: Analyzer, text: string, language: Language, embedAt?: string): Analysis {
  const { chunks, ...rest } = analyzer.analyze(text, language);
  return {
    ...rest,
    chunks: chunks.map(({ searchText, ...chunk }) => {
      const text = searchText ?? chunk.text;
      const terms = termsOf(text);
      const analysed = { ...chunk, text, textHash: textHash(text), terms: terms.join(" ") };
      if (embedAt === undefined || !isEmbedded(text)) return analysed;
      // Of what is embedded, the terms of the text are known.
      const before = termsOf(embeddedText({ ...chunk, path: embedAt, text: "" }));
      return { ...analysed, vector: toBlob(hashVector([...before, ...terms])) };
    }),
    bytes: Buffer.byteLength(text),
  };
}
