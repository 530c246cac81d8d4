/** Whether a file is read the same when it is stored otherwise, and loses nothing when it is broken. */
import type { FileAnalysis } from "@dhi/core/chunk";
import type { Language } from "@dhi/core/languages";
import type { Analyzer } from "@dhi/indexer/chunker/analyze";
import { regionsOf } from "@dhi/indexer/chunker/region";
import { coverageOf } from "@dhi/indexer/chunker/testing/coverage";
import type { TreeSitter } from "@dhi/indexer/chunker/tree-sitter";
import { decodeText } from "@dhi/indexer/decode-text";
import type { Random } from "../bench/random.ts";

export const CHECKS = [
  "CRLF instead of LF, when the grammar finds no error: same chunks, same definitions",
  "UTF-8 with a byte order mark, UTF-16 of both byte orders: same text",
  "Latin-1: same text",
  "cut off at a random place: nothing lost, no chunk over the budget",
  "up to 400 characters missing anywhere: nothing lost, no chunk over the budget",
  "every third bracket missing: nothing lost, no chunk over the budget",
] as const;
export type Check = (typeof CHECKS)[number];

export interface Readers {
  readonly analyzer: Analyzer;
  readonly treeSitter: TreeSitter;
}

export const PARSE_TIMEOUT_MS = 60_000;

/** @returns for each check that can be made of the text, whether it held */
export function checkRobustness(
  { analyzer, treeSitter }: Readers,
  text: string,
  language: Language,
  analysis: FileAnalysis,
  random: Random,
): Map<Check, boolean> {
  const held = new Map<Check, boolean>();
  const isIntact = (broken: string) => {
    try {
      return coverageOf(broken, analyzer.analyze(broken, language)).chunksOverBudget === 0;
    } catch {
      return false;
    }
  };
  // What a grammar makes of an error depends on how much it skips, and a carriage return counts.
  if (text.includes("\n") && !text.includes("\r") && !hasError(treeSitter, text, language)) {
    const crlf = analyzer.analyze(text.replaceAll("\n", "\r\n"), language);
    held.set(CHECKS[0], outline(crlf) === outline(analysis));
  }
  const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
  const marked = [Buffer.from(`\ufeff${text}`), utf16, Buffer.from(utf16).swap16()];
  held.set(
    CHECKS[1],
    marked.every((bytes) => decodeText(bytes) === text),
  );
  if (isLatin(text)) held.set(CHECKS[2], decodeText(Buffer.from(text, "latin1")) === text);
  const at = random.below(text.length + 1);
  held.set(CHECKS[3], isIntact(text.slice(0, at)));
  held.set(CHECKS[4], isIntact(text.slice(0, at) + text.slice(at + random.below(400))));
  let bracket = 0;
  held.set(CHECKS[5], isIntact(text.replace(/[()[\]{}]/g, (b) => (++bracket % 3 === 0 ? "" : b))));
  return held;
}

function hasError(treeSitter: TreeSitter, text: string, language: Language): boolean {
  return regionsOf(text, language).some(
    ({ code, grammar }) =>
      grammar !== undefined &&
      treeSitter.parse(code, grammar, PARSE_TIMEOUT_MS, (root) => root.hasError) !== false,
  );
}

/** Letters beyond ASCII, and few enough of them that it looks like a text of Western Europe. */
function isLatin(text: string): boolean {
  const high = text.match(/[\u0080-\uffff]/g) ?? [];
  return (
    high.length > 0 && high.length / text.length < 0.3 && high.every((c) => c >= "\u00a0" && c <= "\u00ff")
  );
}

/** What is left of an analysis when its line ends do not count. */
const outline = ({ chunks, symbols }: FileAnalysis): string =>
  JSON.stringify([
    chunks.map(({ text, searchText, ...chunk }) => [
      chunk,
      text.replaceAll("\r\n", "\n"),
      searchText?.replaceAll("\r\n", "\n"),
    ]),
    symbols,
  ]);
