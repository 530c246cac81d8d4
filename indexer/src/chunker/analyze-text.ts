/** Text → its chunks and symbols, region by region: by syntax where there is a grammar, else by lines. */
import type { Chunk, FileAnalysis } from "@dhi/core/chunk";
import type { Language } from "@dhi/core/languages";
import { chunkLines } from "./chunk-lines.ts";
import { chunkSource } from "./chunk-source.ts";
import { withoutConflictMarkers } from "./conflict-markers.ts";
import { grammars } from "./grammars/index.ts";
import { importsOf } from "./imports.ts";
import { readOutline } from "./outline.ts";
import { referencesOf } from "./references.ts";
import { type Region, regionsOf } from "./region.ts";
import { readSource, type SourceText } from "./source-text.ts";
import { symbolsOf } from "./symbols.ts";
import type { TreeSitter } from "./tree-sitter.ts";

/**
 * Never throws: what cannot be parsed within the time becomes windows of lines without symbols.
 *
 * @param parseTimeoutMs for each region
 * @returns chunks that, concatenated, are the text; none for an empty text
 */
export function analyzeText(
  treeSitter: TreeSitter,
  text: string,
  language: Language,
  parseTimeoutMs: number,
): FileAnalysis {
  const file = readSource(text);
  const analyses = withGaps(regionsOf(text, language), text).map((region) =>
    analyzeRegion(treeSitter, file, region, parseTimeoutMs),
  );
  const [only] = analyses;
  if (only && analyses.length === 1) return only;
  return {
    chunks: analyses.flatMap((a) => a.chunks),
    symbols: analyses.flatMap((a) => a.symbols),
    references: analyses.flatMap((a) => a.references),
    imports: analyses.flatMap((a) => a.imports),
  };
}

/** What lies between regions is read by lines. */
function withGaps(regions: readonly Region[], text: string): Region[] {
  const starts = [...regions.map((region) => region.start), text.length];
  const gaps = starts.map((end, i) => gapOf(text, regions[i - 1]?.end ?? 0, end));
  return gaps
    .flatMap((gap, i) => [gap, regions[i] ?? []].flat())
    .filter((region) => region.start < region.end);
}

function gapOf(file: string, start: number, end: number): Region {
  const text = file.slice(start, end);
  return { grammar: undefined, start, end, text, code: text, fileOffset: (offset) => start + offset };
}

function analyzeRegion(
  treeSitter: TreeSitter,
  file: SourceText,
  region: Region,
  parseTimeoutMs: number,
): FileAnalysis {
  const { grammar, text } = region;
  const code = withoutConflictMarkers(region.code);
  const source = text === file.text ? file : readSource(text);
  const analysis =
    grammar &&
    treeSitter.parse(code, grammar, parseTimeoutMs, (root, query) => {
      const outline = readOutline(root, code, grammars[grammar]);
      const lineAt = (offset: number) => file.lineAt(region.fileOffset(offset));
      const matches = query.matches(root);
      return {
        chunks: chunkSource(source, outline),
        symbols: symbolsOf(outline, lineAt),
        references: referencesOf(matches, { text: code, outline, grammar, lineAt }),
        imports: importsOf(matches, { grammar, lineAt }),
      };
    });
  const found = analysis ?? { chunks: chunkLines(source), symbols: [], references: [], imports: [] };
  return source === file ? found : { ...found, chunks: inFile(found.chunks, file, region, source) };
}

/** Chunks of the region's text as chunks of the file. */
function inFile(chunks: readonly Chunk[], file: SourceText, region: Region, source: SourceText): Chunk[] {
  const { cell } = region;
  const parts =
    cell !== undefined && source.fits(0, source.text.length) ? [asOne(chunks, source.text)] : chunks;
  const starts = startsInFile(parts, file, region);
  return parts.map((part, i) => {
    const [start, end] = [starts[i] ?? region.start, starts[i + 1] ?? region.end];
    const placed = {
      ...part,
      startLine: file.lineAt(start),
      endLine: file.lineAt(end - 1),
      text: file.text.slice(start, end),
    };
    if (cell === undefined) return placed;
    const container = [`cell ${cell}`, part.container].filter((name) => name !== null).join(".");
    return { ...placed, container, searchText: part.text };
  });
}

/** Where a part of a cell starts, the line of JSON that holds it starts too. */
function startsInFile(parts: readonly Chunk[], file: SourceText, region: Region): number[] {
  const starts: number[] = [];
  let offset = 0;
  for (const part of parts) {
    const exact = region.fileOffset(offset);
    const from = starts.at(-1);
    const lineStart = region.cell === undefined ? exact : file.lineStart(exact);
    starts.push(from === undefined ? region.start : lineStart > from ? lineStart : exact);
    offset += part.text.length;
  }
  return starts;
}

/** A cell that fits stays whole. */
function asOne(chunks: readonly Chunk[], text: string): Chunk {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  return { kind: "block", name: null, container: null, signature: null, startLine: 1, endLine: 1, text };
}
