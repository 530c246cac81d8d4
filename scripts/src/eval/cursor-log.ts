/** What became of each cursor, for whoever wants to know why; outside of any checkout, since packages' code stands in it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder } from "../source-packages.ts";
import type { CursorScores } from "./ask-methods.ts";
import { DEPTH } from "./comparison.ts";
import { BUDGET } from "./metrics.ts";

const SHOWN_CHARS = 200;

/** @returns the file: JSON lines, one a cursor */
export function logCursors(results: readonly CursorScores[], name: string): string {
  const file = join(cacheFolder("eval"), "cursors", `${name}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, results.map((one) => `${JSON.stringify(lineOf(one))}\n`).join(""));
  return file;
}

function lineOf({ cursor, scores }: CursorScores): object {
  const { id, kind, language, prefix, continuation, gold } = cursor;
  return {
    ...{ id, kind, language, prefix: prefix.slice(-SHOWN_CHARS), continuation },
    gold: gold.map(({ name, path, nameLine }) => `${name} ${path}:${nameLine}`),
    // NaN, where nothing is needed, becomes null.
    recall: Object.fromEntries(Object.entries(scores).map(([method, { recall }]) => [method, recall[DEPTH]])),
    coverage: Object.fromEntries(
      Object.entries(scores).map(([method, { coverage }]) => [method, coverage[BUDGET]]),
    ),
  };
}
