/** Keeps code out of what others may read: servers quote in their errors what they were sent. */

/** Less than this can be a word of anybody's. */
const SHORTEST = 8;

/** @returns the words, with a `…` for each run of 8 or more characters that stands in one of the texts */
export function withoutPiecesOf(texts: readonly string[], words: string): string {
  if (texts.length === 0) return words;
  const asked = new Set(piecesOf(words));
  const quoted = new Set<string>();
  for (const text of texts) for (const piece of piecesOf(text)) if (asked.has(piece)) quoted.add(piece);
  let kept = "";
  let hiddenTo = 0;
  for (let at = 0; at < words.length; at++) {
    const isQuoted = quoted.has(words.slice(at, at + SHORTEST));
    if (isQuoted && (at > hiddenTo || kept === "")) kept += "…";
    if (isQuoted) hiddenTo = at + SHORTEST;
    else if (at >= hiddenTo) kept += words.charAt(at);
  }
  return kept;
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at + SHORTEST <= text.length; at++) yield text.slice(at, at + SHORTEST);
}
