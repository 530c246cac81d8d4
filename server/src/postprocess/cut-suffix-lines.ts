/** Cuts where the middle writes again the lines that follow the cursor. */
import { leavesOpen } from "./brackets.ts";
import { afterCursor, beforeCursor, firstLines, linesBelow } from "./cursor-line.ts";
import { openerOf } from "./scan.ts";
import type { Step } from "./step.ts";
import { surroundingsOf } from "./surroundings.ts";

/** So much of a line, not counting its indentation, says which line it is. `});` and `else:` do not. */
const TELLING_LENGTH = 8;
/** A last line cut off by the token limit is the start of a known line; of closing marks, from here on. */
const PARTIAL_LENGTH = 3;
const ONLY_CLOSES = /^[)\]}>;,]+$/;

export const cutSuffixLines: Step = (text, { request }) => {
  const below = linesBelow(request.suffix);
  if (afterCursor(request.suffix).trim() !== "" || below.length === 0) return text;
  const before = beforeCursor(request.prefix);
  const lines = text.split("\n").map((line, i) => (i === 0 ? before + line : line).trimEnd());
  const awaited = surroundingsOf(request)?.awaited;
  /** The code below closes a bracket that is to be opened here: its closing line is not the text's own. */
  const isOpened = (line: string) => (awaited?.[openerOf[line.trim().charAt(0)] ?? ""] ?? 0) > 0;
  const at = lines.findIndex(
    (line, i) =>
      line !== "" &&
      (!ONLY_CLOSES.test(line.trim()) ||
        isOpened(line) ||
        goesOn(lines, i) ||
        !leavesOpen(firstLines(text, i), line.trim().charAt(0))) &&
      repeats(lines.slice(i), below, i),
  );
  if (at < 0) return text;
  const kept = firstLines(text, at);
  return kept.trim() === "" ? { drop: "repeats-suffix" } : kept;
};

/** Behind a closing line stands one that tells more than that a block ends. */
const goesOn = (lines: readonly string[], i: number): boolean =>
  lines.slice(i + 1).some((line) => line.trim().length >= TELLING_LENGTH);

const isBegun = (line: string): boolean => line.length >= PARTIAL_LENGTH || !ONLY_CLOSES.test(line);

/** Whether the first of `lines` tells that it is the next line below, or all of them are the next lines below. */
function repeats(lines: readonly string[], below: readonly string[], index: number): boolean {
  const written = lines.filter((line) => line !== "");
  const [first = ""] = written;
  if (first === below[0] && first.trim().length >= TELLING_LENGTH) return true;
  return written.every((line, i) => {
    const known = below[i];
    const isLast = i === written.length - 1;
    return (
      line === known || (isLast && (i > 0 || (index > 0 && isBegun(line.trim()))) && known?.startsWith(line))
    );
  });
}
