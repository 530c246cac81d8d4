/**
 * Tabby's recently changed code (`tabby-agent`, `codeSearch.ts`): BM25 over 20 lines around each recent edit, in pieces of
 * 500 characters, the three best; and the gate its server puts before any hit of a search (`tabby-common/src/api/code.rs`):
 * the score of the embedding, of BM25 and of both ranks fused must each pass. BM25's 8 and the fusion's 0.028 are Tabby's.
 * Its 0.75 is a cosine of nomic embeddings; the built-in hash embedder gives lower ones, so that 0.3 stands
 * for it: a choice, not a calibration.
 */
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import type { Baseline } from "../method.ts";
import type { EvalSnippet } from "../metrics.ts";
import { createBm25 } from "./bm25.ts";
import { lastLines } from "./windows.ts";

const LINES_AROUND = 20;
const PIECE_CHARS = 500;
const QUERY_LINES = 20;
const MOST = 3;
const MIN_BM25 = 8;
const MIN_COSINE = 0.3;
const MIN_RRF = 0.028;
const RRF_K = 60;

const embedder = createHashEmbedder();

export const recentEditsBm25: Baseline = async ({ corpus, cursor, surroundings }) => {
  const pieces = surroundings.recentEdits.flatMap(({ path, startLine, endLine }) => {
    const lines = corpus.files.get(path)?.lines ?? [];
    const first = Math.max(1, startLine - LINES_AROUND);
    return piecesOf(path, lines, first, Math.min(lines.length, endLine + LINES_AROUND));
  });
  const query = lastLines(cursor.prefix, QUERY_LINES);
  if (!pieces.length || !query.trim()) return [];
  const signal = new AbortController().signal;
  const wanted = await embedder.embedQuery(query, signal);
  const vectors = await embedder.embedDocuments(
    pieces.map(({ text }) => text),
    signal,
  );
  const near = pieces
    .map((item, i) => ({ item, score: cosine(wanted, vectors[i] ?? []) }))
    .sort((a, b) => b.score - a.score);
  const byEmbedding = new Map(near.map(({ item, score }, rank) => [item, { score, rank }]));
  return createBm25(pieces)
    .rank(query, pieces.length)
    .flatMap(({ item, score }, rank) => {
      const embedding = byEmbedding.get(item);
      if (!embedding || score < MIN_BM25 || embedding.score < MIN_COSINE) return [];
      const fused = 1 / (RRF_K + rank + 1) + 1 / (RRF_K + embedding.rank + 1);
      return fused > MIN_RRF ? { item, fused } : [];
    })
    .sort((a, b) => b.fused - a.fused)
    .slice(0, MOST)
    .map(({ item }) => item);
};

/** Whole lines; each piece begins with the last line of the one before. */
function piecesOf(path: string, lines: readonly string[], first: number, last: number): EvalSnippet[] {
  const pieces: EvalSnippet[] = [];
  for (let startLine = first; startLine <= last; ) {
    let endLine = startLine;
    const textTo = (end: number) => lines.slice(startLine - 1, end).join("\n");
    while (endLine < last && textTo(endLine + 1).length <= PIECE_CHARS) endLine++;
    pieces.push({ path, startLine, endLine, text: textTo(endLine) });
    if (endLine === last) break;
    startLine = Math.max(endLine, startLine + 1);
  }
  return pieces;
}

const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
