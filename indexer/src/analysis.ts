/** What the index keeps of one content: what the chunker found, and each chunk's key and terms. */
import type { Chunk, FileAnalysis } from "@dhi/core/chunk";
import { termsOf } from "@dhi/core/identifiers";
import { textHash } from "@dhi/core/index-db";
import type { Language } from "@dhi/core/languages";
import type { Analyzer } from "./chunker/analyze.ts";

export interface AnalysedChunk extends Omit<Chunk, "searchText"> {
  /** What is found, embedded and shown: the chunk's `searchText` where it has one. */
  readonly text: string;
  readonly textHash: string;
  /** As the lexical index holds them, joined by spaces. */
  readonly terms: string;
}

export interface Analysis extends Omit<FileAnalysis, "chunks"> {
  readonly chunks: readonly AnalysedChunk[];
  /** Length of the text in UTF-8. */
  readonly bytes: number;
}

export function analysisOf(analyzer: Analyzer, text: string, language: Language): Analysis {
  const { chunks, ...rest } = analyzer.analyze(text, language);
  return {
    ...rest,
    chunks: chunks.map(({ searchText, ...chunk }) => {
      const text = searchText ?? chunk.text;
      return { ...chunk, text, textHash: textHash(text), terms: termsOf(text).join(" ") };
    }),
    bytes: Buffer.byteLength(text),
  };
}
