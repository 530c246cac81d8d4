/** Files in windows of lines. */
import type { CorpusFile } from "../corpus.ts";
import type { EvalSnippet } from "../metrics.ts";

/** @param step lines from the start of one window to the next: `size` for windows that do not overlap */
export function windowsOf({ path, lines }: CorpusFile, size: number, step: number): EvalSnippet[] {
  const windows: EvalSnippet[] = [];
  for (let start = 0; start < lines.length; start += step) {
    const text = lines.slice(start, start + size).join("\n");
    const endLine = Math.min(lines.length, start + size);
    if (text.trim()) windows.push({ path, startLine: start + 1, endLine, text });
    if (endLine === lines.length) break;
  }
  return windows;
}

/** @returns the last `count` lines of a text, the unfinished one at its end among them */
export const lastLines = (text: string, count: number): string => text.split("\n").slice(-count).join("\n");
