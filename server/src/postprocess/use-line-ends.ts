/** Ends lines as the file does. Nothing else is changed. */
import type { Step } from "./step.ts";

export const useLineEnds: Step = (text, { request }) => {
  if (!/[\r\n]/.test(text)) return text;
  return text.replace(/\r\n|\r|\n/g, lineEndOf(request));
};

/** The one nearest to the cursor; a line feed in a file of one line. */
function lineEndOf({ prefix, suffix }: { readonly prefix: string; readonly suffix: string }): string {
  const above = prefix.lastIndexOf("\n");
  if (above >= 0) return prefix[above - 1] === "\r" ? "\r\n" : "\n";
  const below = suffix.indexOf("\n");
  return below > 0 && suffix[below - 1] === "\r" ? "\r\n" : "\n";
}
