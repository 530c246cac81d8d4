/** Keeps code out of what others may read: servers quote in their errors what they were sent. */

/** Less than this can be a word of anybody's. */
const SHORTEST = 8;

/** @returns the words, with a `…` for each run of 8 or more characters that stands in one of the texts */
export function withoutPiecesOf(texts: readonly string[], words: string): string {
  if (texts.length === 0) return words;
  const pieces = new Map<string, number[]>();
  for (let at = 0; at + SHORTEST <= words.length; at++) {
    const piece = words.slice(at, at + SHORTEST);
    pieces.set(piece, [...(pieces.get(piece) ?? []), at]);
  }
  const hidden = new Set<number>();
  for (const text of texts)
    for (let at = 0; at + SHORTEST <= text.length; at++)
      for (const place of pieces.get(text.slice(at, at + SHORTEST)) ?? [])
        for (let i = 0; i < SHORTEST; i++) hidden.add(place + i);
  return [...Array(words.length).keys()]
    .map((at) => (!hidden.has(at) ? words.charAt(at) : hidden.has(at - 1) ? "" : "…"))
    .join("");
}
