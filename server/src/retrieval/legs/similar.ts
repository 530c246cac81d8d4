/** Code like the code at the cursor, in open and recently edited files and their like: what followed there may come next. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FileWindows, fileWindows, STEP_LINES, WINDOW_LINES, windowsWith } from "../file-windows.ts";
import type { Found, Leg } from "../leg.ts";
import { lineCount, textOfLines } from "../named-text.ts";
import { nearbyFiles } from "../nearby-files.ts";
import { nearness } from "../nearness.ts";
import { wantedNames } from "../wanted-names.ts";

const MAX_FILES = 16;
const MAX_FOUND = 16;
const MAX_PER_FILE = 3;
/** Measured (docs/eval, development packages): a softer slope than for single uses, since like code shares many names. */
const HALF_WEIGHT_RANK = 4;
/** How much a window's other names count against it; 1 would be Jaccard's own, which measured worse. */
const OTHER_NAMES = 0.3;
/** The end of the window that is alike, and what follows it. */
const SHOWN_OF_WINDOW = 12;
const SHOWN_AFTER = 6;
const SHOWN_LINES = SHOWN_OF_WINDOW + SHOWN_AFTER;

interface OpenFile {
  readonly path: string;
  readonly windows: FileWindows;
  /** Its windows that hold a name near the cursor, by the name's key. */
  readonly withName: ReadonlyMap<number, readonly number[]>;
}

/** Where fewer files are known to be open, those fill up that someone would have open who works on this one. */
export const similarLeg: Leg = async (db, query, signal) => {
  const near = wantedNames(nearness(query, HALF_WEIGHT_RANK));
  if (!near.weights.size) return [];
  const paths = new Set([...query.openFiles, ...query.recentEdits.map(({ path }) => path)]);
  if (paths.size < MAX_FILES) for (const path of nearbyFiles(db, query.path, MAX_FILES)) paths.add(path);
  paths.delete(query.path);
  const files: OpenFile[] = [];
  for (const path of [...paths].slice(0, MAX_FILES)) {
    const windows = await fileWindows(db, path, () => nextTurn(undefined, { signal }));
    if (windows && query.wants(windows.language))
      files.push({ path, windows, withName: windowsWith(windows, near) });
  }
  const weights = weighed(near.weights, files);
  return files
    .flatMap((file) => similarIn(file, weights))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND);
};

/** Nearness times rareness among the windows of these files, by the name's key. */
function weighed(near: ReadonlyMap<number, number>, files: readonly OpenFile[]): ReadonlyMap<number, number> {
  const windows = files.reduce((sum, file) => sum + file.windows.sizes.length, 0);
  const weights = new Map<number, number>();
  for (const [key, weight] of near) {
    const withName = files.reduce((sum, file) => sum + (file.withName.get(key)?.length ?? 0), 0);
    if (withName) weights.set(key, weight * Math.log1p(windows / withName));
  }
  return weights;
}

/** Jaccard: what is shared of all there is, by weight. */
function similarIn({ path, windows, withName }: OpenFile, weights: ReadonlyMap<number, number>): Found[] {
  const shared = new Map<number, number>();
  for (const [key, weight] of weights) {
    for (const window of withName.get(key) ?? []) shared.set(window, (shared.get(window) ?? 0) + weight);
  }
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const best = [...shared]
    .map(([window, weight]) => ({
      window,
      score: weight / (all + OTHER_NAMES * (windows.sizes[window] ?? 0)),
    }))
    .sort((a, b) => b.score - a.score || a.window - b.window);
  const apart: typeof best = [];
  for (const one of best) {
    if (apart.length === MAX_PER_FILE) break;
    if (apart.every(({ window }) => Math.abs(window - one.window) * STEP_LINES >= SHOWN_LINES))
      apart.push(one);
  }
  return apart.map(({ window, score }) => shown(path, windows, window, score));
}

function shown(path: string, { text, language }: FileWindows, window: number, score: number): Found {
  const end = Math.min(lineCount(text), window * STEP_LINES + WINDOW_LINES + SHOWN_AFTER);
  const start = Math.max(0, end - SHOWN_LINES);
  return {
    path,
    startLine: start + 1,
    endLine: end,
    language,
    kind: "lines",
    name: null,
    signature: null,
    text: textOfLines(text, start, end),
    score,
  };
}
