/** Text → its chunks and symbols. */
import type { FileAnalysis } from "@dhi/core/chunk";
import type { Language } from "@dhi/core/languages";
import { analyzeText } from "./analyze-text.ts";
import { loadTreeSitter } from "./tree-sitter.ts";

export interface Analyzer {
  /**
   * Never throws: what cannot be parsed becomes windows of lines without symbols.
   *
   * @returns chunks that, concatenated, are the text; none for an empty text
   */
  analyze(text: string, language: Language): FileAnalysis;
}

export interface AnalyzerOptions {
  /** A file that takes longer is cut by lines. 1 MiB of ordinary code takes a quarter of a second. */
  readonly parseTimeoutMs?: number;
}

/** @throws when a grammar's file is missing */
export async function createAnalyzer({ parseTimeoutMs = 5_000 }: AnalyzerOptions = {}): Promise<Analyzer> {
  const treeSitter = await loadTreeSitter();
  return {
    analyze: (text, language) => analyzeText(treeSitter, text, language, parseTimeoutMs),
  };
}
