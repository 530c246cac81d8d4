/** Code without a path → the indexed file it is from, by lines that stand nowhere else together. */
import type { IndexDb } from "@dhi/core/index-db";
import { nearness } from "../retrieval/nearness.ts";
import { retrievalQuery } from "../retrieval/query.ts";
import { textById, textsWith } from "../retrieval/texts-with.ts";
import type { AroundCursor } from "./parse-fim-prompt.ts";

const MAX_NAMES = 12;
/** Chunks whose lines are compared, a few milliseconds in all. */
const MAX_COMPARED = 40;
/** Closing brackets and blank returns are in every file. */
const MIN_LINE_CHARS = 10;
const MIN_LINES = 3;

/** @returns its path; `undefined` when no file has enough of the lines, or several have as many */
export function locateFile(db: IndexDb, { prefix, suffix }: AroundCursor): string | undefined {
  const { names, visible } = retrievalQuery({ path: "", prefix, suffix });
  if (names.length === 0) return undefined;
  const asked = {
    names: nearness({ names: names.slice(0, MAX_NAMES) }, MAX_NAMES),
    start: "",
    limit: MAX_COMPARED,
  };
  const found = new Map<string, Set<string>>();
  for (const { path, textId } of textsWith(db, asked).places) {
    const lines = found.get(path) ?? new Set();
    found.set(path, lines);
    for (const line of textById(db, textId).split("\n")) {
      const text = line.trim();
      if (text.length >= MIN_LINE_CHARS && visible.has(text)) lines.add(text);
    }
  }
  const [best, next] = [...found].sort(([, a], [, b]) => b.size - a.size);
  return best && best[1].size >= MIN_LINES && best[1].size > (next?.[1].size ?? 0) ? best[0] : undefined;
}
