/** Text → its chunks and symbols: by syntax where there is a grammar, else by lines. */
import type { FileAnalysis } from "@dhi/core/chunk";
import type { Language } from "@dhi/core/languages";
import { chunkLines } from "./chunk-lines.ts";
import { chunkSource } from "./chunk-source.ts";
import { grammars } from "./grammars/index.ts";
import { readOutline } from "./outline.ts";
import { readSource } from "./source-text.ts";
import { symbolsOf } from "./symbols.ts";
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
    analyze(text, { grammar }) {
      const source = readSource(text);
      const analysis =
        grammar &&
        treeSitter.parse(text, grammar, parseTimeoutMs, (root) => {
          const outline = readOutline(root, text, grammars[grammar]);
          return {
            chunks: chunkSource(source, outline),
            symbols: symbolsOf(outline, source),
            references: [],
            imports: [],
          };
        });
      return analysis ?? { chunks: chunkLines(source), symbols: [], references: [], imports: [] };
    },
  };
}
