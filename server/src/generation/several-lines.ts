/** Whether ghost text may be several lines: only where a block is to be written, or when the user asks for it. */
import type { FimRequest } from "@dhi/core/protocol";
import { beforeCursor, isOneLine, linesAbove } from "../postprocess/cursor-line.ts";

/** Ends of a line that opens a block: brackets, Python's and YAML's colon, arrows, `do`, `then`, `begin`, `else`. */
const OPENS_BLOCK = /(?:[{([:]|=>|->|\b(?:do|then|begin|else|try))\s*$/;
const CLOSES_BLOCK = /^\s*(?:[})\]]|end\b|fi\b|done\b)/;

export function mayBeSeveralLines(
  request: Pick<FimRequest, "prefix" | "suffix" | "singleLine"> & Partial<Pick<FimRequest, "trigger">>,
): boolean {
  if (isOneLine(request)) return false;
  if (request.singleLine === false || request.trigger === "manual") return true;
  const line = beforeCursor(request.prefix);
  if (line.trim() !== "") return OPENS_BLOCK.test(line);
  // On an empty line: inside a body, not between the definitions of a file nor behind a block that is done.
  const above = linesAbove(request.prefix).at(-1) ?? "";
  return OPENS_BLOCK.test(above) || (/^\s/.test(line) && !CLOSES_BLOCK.test(above));
}
