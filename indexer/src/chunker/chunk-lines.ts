/** Windows of lines, for files without a grammar. */
import type { Chunk } from "@dhi/core/chunk";
import type { SourceText } from "./source-text.ts";
import { splitRange } from "./split.ts";

/** Half of what a definition may have: without syntax a window mixes topics, and a smaller one mixes fewer. */
const WINDOW_WEIGHT = 1_000;

/** A tab counts as this many columns of indentation. */
const TAB = 4;

export function chunkLines(source: SourceText): Chunk[] {
  const { text } = source;
  const ends = splitRange(source, 0, text.length, {
    goal: WINDOW_WEIGHT,
    depthOf: (lineStart) => outlineDepth(text, lineStart),
  });
  return ends.map((end, i) => {
    const start = ends[i - 1] ?? 0;
    return {
      kind: "lines",
      name: null,
      container: null,
      signature: null,
      startLine: source.lineAt(start),
      endLine: source.lineAt(end - 1),
      text: text.slice(start, end),
    };
  });
}

/** Little indentation after a blank line starts something; a blank line or a closing bracket starts nothing. */
function outlineDepth(text: string, lineStart: number): number {
  const [, indent = "", first = ""] = /^([\t ]*)(\S?)/.exec(text.slice(lineStart, lineStart + 200)) ?? [];
  if (first === "" || ")]}".includes(first)) return Number.POSITIVE_INFINITY;
  const columns = indent.length + (TAB - 1) * (indent.split("\t").length - 1);
  const afterBlankLine = /\n[\t ]*\r?\n$/.test(text.slice(Math.max(0, lineStart - 200), lineStart));
  return 2 * columns + (afterBlankLine ? 0 : 1);
}
