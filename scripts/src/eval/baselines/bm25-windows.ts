/**
 * BM25 windows over the repository: CrossCodeEval (arXiv 2310.11248, §3: files of the repository in fixed chunks of 10
 * lines, the query is the last 10 lines before the cursor), after RepoCoder (arXiv 2303.12570). The open file is left
 * out, as there; terms are identifiers and their sub-words, in lower case.
 */
import type { Corpus } from "../corpus.ts";
import type { Baseline, Situation } from "../method.ts";
import type { EvalSnippet } from "../metrics.ts";
import { type Bm25, createBm25 } from "./bm25.ts";
import { lastLines, windowsOf } from "./windows.ts";

const WINDOW_LINES = 10;
const QUERY_LINES = 10;
/** Enough to fill any budget. */
const MOST = 40;

export const bm25Windows: Baseline = (situation) =>
  rankWindows(situation, lastLines(situation.cursor.prefix, QUERY_LINES));

/**
 * The same with the answer in the query: "retrieval w/ reference" of CrossCodeEval, what BM25 could reach if it knew what
 * comes next.
 */
export const oracleWindows: Baseline = (situation) => {
  const { prefix, continuation } = situation.cursor;
  return rankWindows(situation, lastLines(prefix, QUERY_LINES) + continuation);
};

function rankWindows({ corpus, cursor: { path } }: Situation, query: string): EvalSnippet[] {
  const { family } = corpus.files.get(path) ?? {};
  const ranked = indexOf(corpus).rank(
    query,
    MOST,
    (window) => window.path !== path && window.family === family,
  );
  return ranked.map(({ item }) => item);
}

interface Window extends EvalSnippet {
  readonly family: string;
}
const indexes = new WeakMap<Corpus, Bm25<Window>>();

function indexOf(corpus: Corpus): Bm25<Window> {
  const known = indexes.get(corpus);
  if (known) return known;
  const windows = [...corpus.files.values()].flatMap((file) =>
    windowsOf(file, WINDOW_LINES, WINDOW_LINES).map((window) => ({ ...window, family: file.family })),
  );
  const made = createBm25(windows);
  indexes.set(corpus, made);
  return made;
}
