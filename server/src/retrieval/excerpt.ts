/** The part of a chunk that is shown: tokens are few, and most of a long chunk is about something else. */
import type { Candidate } from "./chunk-rows.ts";
import type { Found } from "./leg.ts";
import type { LinedText } from "./lined-text.ts";
import { type Hit, heaviestWindow } from "./window.ts";

/**
 * Lines in which names count as standing together, and lines that are shown: these, the one before, and what came next.
 * Measured (docs/eval, development packages): fewer lines miss what follows, more leave room for fewer places.
 */
const CORE_LINES = 10;
const LEAD_LINES = 1;
const MAX_LINES = 16;

/** What names count. */
export interface NameWeights {
  readonly names: ReadonlyMap<string, number>;
  /** A name that is not among them counts when it starts so. */
  readonly start?: { readonly of: string; readonly weight: number } | undefined;
}

/**
 * @param place the chunk
 * @param text of the chunk
 * @returns a short chunk whole; its score is what the different names on the lines that count weigh together
 */
export function excerpt(
  place: Omit<Candidate, "text">,
  { lines, withName }: LinedText,
  weights: NameWeights,
): Found {
  const core = heaviestWindow(lines.length, hitsIn(withName, weights), CORE_LINES);
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

function hitsIn(withName: LinedText["withName"], { names, start }: NameWeights): Hit[] {
  const hits: Hit[] = [];
  const add = (name: string, weight: number) => {
    for (const line of withName.get(name) ?? []) hits.push({ line, name, weight });
  };
  for (const [name, weight] of names) if (weight) add(name, weight);
  if (start)
    for (const name of withName.keys())
      if (!names.has(name) && name.startsWith(start.of)) add(name, start.weight);
  return hits.sort((a, b) => a.line - b.line);
}
