/**
 * Cuts before a quote that would leave the rest of the cursor's line inside out: in languages that `lexis.ts` does not
 * know, from the line alone.
 */
import { afterCursor, beforeCursor } from "./cursor-line.ts";
import { lexisOf } from "./lexis.ts";
import type { Step } from "./step.ts";

/** Where `'` mostly stands for something else than a string: a lifetime, a prime, a quoted form, an apostrophe. */
const NO_SINGLE_QUOTES = new Set(
  "haskell ocaml fsharp elm clojure lisp scheme latex tex markdown plaintext".split(" "),
);

export const balanceQuotes: Step = (text, { request }) => {
  const after = afterCursor(request.suffix);
  if (lexisOf(request) || after.trim() === "" || text.includes("\n")) return text;
  const before = beforeCursor(request.prefix);
  const quotes = NO_SINGLE_QUOTES.has(request.languageId ?? "") ? '"`' : "\"'`";
  // Not balanced without the text either: a literal of several lines, or an apostrophe in a comment.
  if (endsInString(before + after, quotes)) return text;
  let kept = text;
  while (endsInString(before + kept + after, quotes)) {
    let at = kept.length - 1;
    while (at >= 0 && !quotes.includes(kept.charAt(at))) at--;
    if (at < 0) return kept;
    kept = kept.slice(0, at);
  }
  return kept.trim() === "" && text.trim() !== "" ? { drop: "repeats-suffix" } : kept;
};

function endsInString(line: string, quotes: string): boolean {
  let open = "";
  for (let i = 0; i < line.length; i++) {
    const character = line.charAt(i);
    if (character === "\\") i++;
    else if (open) open = character === open ? "" : open;
    else if (quotes.includes(character)) open = character;
  }
  return open !== "";
}
