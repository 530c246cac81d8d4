/** The part of a chunk that is shown: tokens are few, and most of a long chunk is about something else. */
import type { Candidate } from "./chunk-rows.ts";
import type { Found } from "./leg.ts";
import type { LinedText } from "./lined-text.ts";
import { heaviestWindow } from "./window.ts";

/**
 * Lines in which names count as standing together, and lines that are shown: these, the one before, and what came next.
 * Measured (docs/eval, development packages): fewer lines miss what follows, more leave room for fewer places.
 */
const CORE_LINES = 10;
const LEAD_LINES = 1;
const MAX_LINES = 16;

/**
 * @param place the chunk
 * @param text of the chunk
 * @param weigh what a name counts
 * @returns a short chunk whole; its score is what the different names on the lines that count weigh together
 */
export function excerpt(
  place: Omit<Candidate, "text">,
  { lines, names }: LinedText,
  weigh: (name: string) => number,
): Found {
  const core = heaviestWindow(names, weigh, CORE_LINES);
  const first = Math.max(0, Math.min(core.start - LEAD_LINES, lines.length - MAX_LINES));
  const shown = lines.slice(first, first + MAX_LINES);
  const startLine = place.startLine + first;
  return {
    path: place.path,
    startLine,
    endLine: Math.min(place.endLine, startLine + shown.length - 1),
    language: place.language,
    kind: place.kind,
    name: place.name,
    signature: place.signature,
    text: shown.join("\n"),
    score: core.weight,
  };
}
