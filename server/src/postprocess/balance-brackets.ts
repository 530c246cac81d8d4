/** Cuts before a bracket is closed that the rest of the cursor's line closes. */
import { closesTooMuch, isCloser } from "./brackets.ts";
import { afterCursor, beforeCursor } from "./cursor-line.ts";
import type { Step } from "./step.ts";

export const balanceBrackets: Step = (text, { request }) => {
  const before = beforeCursor(request.prefix);
  const after = afterCursor(request.suffix);
  let kept = text;
  while (closesTooMuch(before, kept, after)) {
    let at = kept.length - 1;
    while (at > 0 && !isCloser(kept.charAt(at))) at--;
    kept = kept.slice(0, at);
  }
  return kept.trim() === "" && text.trim() !== "" ? { drop: "repeats-suffix" } : kept;
};
