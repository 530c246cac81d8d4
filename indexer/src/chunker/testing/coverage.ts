/** What of a file its chunks make findable, counted from the outside: from text, chunks and symbols alone. */
import type { Chunk, FileAnalysis } from "@dhi/core/chunk";
import { MAX_CHUNK_WEIGHT } from "../source-text.ts";

export interface Coverage {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Of these, the ones that stand whole in one chunk: longer ones than a chunk may be are cut. */
  readonly wholeLines: number;
  readonly chunks: number;
  readonly chunksOverBudget: number;
  /** Definitions, with their doc comment and decorators, that one chunk can hold. */
  readonly definitions: number;
  readonly wholeDefinitions: number;
  /** Definitions too large for one chunk, whose doc comment, decorators and name one chunk can hold. */
  readonly largeDefinitions: number;
  /** Of these, the ones for which one does. */
  readonly largeWithHead: number;
}

export const NO_COVERAGE: Coverage = {
  lines: 0,
  wholeLines: 0,
  chunks: 0,
  chunksOverBudget: 0,
  definitions: 0,
  wholeDefinitions: 0,
  largeDefinitions: 0,
  largeWithHead: 0,
};

/** @throws when the chunks, concatenated, are not the text, or say other lines than they hold */
export function coverageOf(text: string, { chunks, symbols }: FileAnalysis): Coverage {
  const lineStarts = lineStartsOf(text);
  const starts = startsOf(text, chunks, lineStarts);
  const chunkAt = (offset: number) => lastAtMost(starts, offset);
  const isWhole = (start: number, end: number) => chunkAt(start) === chunkAt(Math.max(start, end - 1));
  const coverage = { ...NO_COVERAGE, chunks: chunks.length };

  lineStarts.forEach((start, i) => {
    const end = lineStarts[i + 1] ?? text.length;
    if (weightOf(text.slice(start, end)) === 0) return;
    coverage.lines++;
    if (isWhole(start, end)) coverage.wholeLines++;
  });
  for (const chunk of chunks) if (weightOf(searched(chunk)) > MAX_CHUNK_WEIGHT) coverage.chunksOverBudget++;
  for (const { name, startLine, endLine } of symbols) {
    const start = lineStarts[startLine - 1] ?? 0;
    const end = lineStarts[endLine] ?? text.length;
    const headEnd = text.indexOf(name, start) + name.length;
    if (weightOf(text.slice(start, end)) <= MAX_CHUNK_WEIGHT) {
      coverage.definitions++;
      if (isWhole(start, end)) coverage.wholeDefinitions++;
    } else if (weightOf(text.slice(start, headEnd)) <= MAX_CHUNK_WEIGHT) {
      coverage.largeDefinitions++;
      if (isWhole(start, headEnd)) coverage.largeWithHead++;
    }
  }
  return coverage;
}

/** What is found and embedded of a chunk. */
export const searched = ({ text, searchText }: Chunk): string => searchText ?? text;

const weightOf = (text: string): number => text.replace(/\s+/g, "").length;

export function add(a: Coverage, b: Coverage): Coverage {
  return {
    lines: a.lines + b.lines,
    wholeLines: a.wholeLines + b.wholeLines,
    chunks: a.chunks + b.chunks,
    chunksOverBudget: a.chunksOverBudget + b.chunksOverBudget,
    definitions: a.definitions + b.definitions,
    wholeDefinitions: a.wholeDefinitions + b.wholeDefinitions,
    largeDefinitions: a.largeDefinitions + b.largeDefinitions,
    largeWithHead: a.largeWithHead + b.largeWithHead,
  };
}

function startsOf(text: string, chunks: readonly Chunk[], lineStarts: readonly number[]): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const chunk of chunks) {
    starts.push(at);
    const end = at + chunk.text.length;
    if (chunk.text === "" || text.slice(at, end) !== chunk.text) throw new Error(`chunks lose text at ${at}`);
    const lines = [lastAtMost(lineStarts, at) + 1, lastAtMost(lineStarts, end - 1) + 1];
    if (chunk.startLine !== lines[0] || chunk.endLine !== lines[1])
      throw new Error(`a chunk says lines ${chunk.startLine}-${chunk.endLine} and holds ${lines.join("-")}`);
    at = end;
  }
  if (at !== text.length) throw new Error(`chunks end at ${at} of ${text.length}`);
  return starts;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the last number that is at most `value`; -1 when all are greater. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = -1;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}
