/**
 * Windows of 60 lines of the open files that share most words with the 60 lines before the cursor, by Jaccard: "similar
 * files" of GitHub Copilot (`completions-core`, `snippetInclusion/`): words split at what is not alphanumeric, stop words
 * left out, the best window of a file, four files at most, files of the same language with less than 10,000 characters…
 * except that here longer files count too, which can only help it.
 */
import type { Baseline } from "../method.ts";
import type { EvalSnippet } from "../metrics.ts";
import { lastLines, windowsOf } from "./windows.ts";

const WINDOW_LINES = 60;
const MOST_FILES = 4;

export const jaccardWindows: Baseline = ({ corpus, cursor, surroundings: { openFiles } }) => {
  const family = corpus.files.get(cursor.path)?.family;
  const wanted = wordsOf(lastLines(cursor.prefix, WINDOW_LINES));
  const best = openFiles.flatMap((path) => {
    const file = corpus.files.get(path);
    if (!file || file.family !== family) return [];
    let top: { window: EvalSnippet; score: number } | undefined;
    for (const window of windowsOf(file, WINDOW_LINES, 1)) {
      const score = jaccard(wanted, wordsOf(window.text));
      if (score > (top?.score ?? 0)) top = { window, score };
    }
    return top ?? [];
  });
  return best
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FILES)
    .map(({ window }) => window);
};

/** Of the same kinds as Copilot's list, but not copied from it: English function words and what most languages reserve. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `
  we our you it its they them their this that these those is are was were be been being have has had having do does did
  doing can don t s will would should what which who when where why how a an the and or not no but because as until again
  further then once here there all any both each few more most other some such above below to during before after of at by
  about between into through from up down in out on off over under only own same so than too very just now
  if else elif while for return true false import class def function const let var new public private static void
  `
    .trim()
    .split(/\s+/),
);

export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.split(/[^\p{L}\p{N}]+/u).filter((word) => word && !STOP_WORDS.has(word)));

export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
