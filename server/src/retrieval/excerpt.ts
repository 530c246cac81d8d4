/** The part of a chunk that is shown: tokens are few, and most of a long chunk is about something else. */
import type { Candidate } from "./chunk-rows.ts";
import type { Found } from "./leg.ts";
import { lineCount, type NamedText, textOfLines } from "./named-text.ts";
import { hitsIn, hitsStarting, type WantedNames } from "./wanted-names.ts";
import { heaviestWindow } from "./window.ts";

/**
 * Lines in which names count as standing together, and lines that are shown: these, the one before, and what came next.
 * Measured (docs/eval, development packages): fewer lines miss what follows, more leave room for fewer places.
 */
const CORE_LINES = 10;
const LEAD_LINES = 1;
const MAX_LINES = 16;

/** What names count. */
export interface NameWeights {
  readonly names: WantedNames;
  /** A name that is not among them counts when it starts so, in lower case. */
  readonly start?: { readonly of: string; readonly weight: number } | undefined;
}

/**
 * @param place the chunk
 * @param text of the chunk
 * @returns a short chunk whole; its score is what the different names on the lines that count weigh together
 */
export function excerpt(
  place: Omit<Candidate, "text">,
  text: NamedText,
  { names, start }: NameWeights,
): Found {
  const hits = hitsIn(text, names);
  if (start) hits.push(...hitsStarting(text, start, names));
  const lines = lineCount(text);
  const core = heaviestWindow(lines, start ? hits.sort((a, b) => a.line - b.line) : hits, CORE_LINES);
  const first = Math.max(0, Math.min(core.start - LEAD_LINES, lines - MAX_LINES));
  const end = Math.min(lines, first + MAX_LINES);
  const startLine = place.startLine + first;
  return {
    path: place.path,
    startLine,
    endLine: Math.min(place.endLine, startLine + end - first - 1),
    language: place.language,
    kind: place.kind,
    name: place.name,
    signature: place.signature,
    text: textOfLines(text, first, end),
    score: core.weight,
  };
}
