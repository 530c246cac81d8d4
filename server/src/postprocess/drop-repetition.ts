/** Cuts circles to their first round, and drops what repeats the lines above the cursor. */
import { beforeCursor, firstLines, linesAbove } from "./cursor-line.ts";
import type { Step } from "./step.ts";

const ROUNDS = 3;
const MAX_PERIOD_LINES = 10;
/** Inside lines, short units repeat in good code too: `0, 0, 0`. */
const SHORT_UNIT = 10;
const SHORT_UNIT_ROUNDS = 5;
const MIN_UNIT = 3;
const MAX_UNIT = 200;
/** One line alone repeats the line above when so much of it is not blank. */
const TELLING_LENGTH = 5;

const LETTER = /\p{L}/u;

export const dropRepetition: Step = (text, { request }) => {
  const before = beforeCursor(request.prefix);
  const lines = text.split("\n").map((line, i) => (i === 0 ? before + line : line).trimEnd());
  if (before.trim() === "" && repeatsAbove(lines, linesAbove(request.prefix))) return { drop: "repetition" };

  const kept = cutCircleOfCharacters(firstLines(text, endOfFirstRound(lines)));
  return kept.trim() === "" && text.trim() !== "" ? { drop: "repetition" } : kept;
};

/** The first lines are the last lines above, in order. */
function repeatsAbove(lines: readonly string[], above: readonly string[]): boolean {
  const written = lines.filter((line) => line !== "");
  for (let count = 1; count <= Math.min(written.length, above.length); count++) {
    const block = written.slice(0, count);
    const tells =
      LETTER.test(block.join("")) && (count > 1 || block.join("").trim().length >= TELLING_LENGTH);
    const last = above.slice(-count);
    if (tells && block.every((line, i) => line === last[i])) return true;
  }
  return false;
}

/** @returns how many lines there are up to the end of the first round of a circle, or up to the end of all */
function endOfFirstRound(lines: readonly string[]): number {
  for (let start = 0; start < lines.length; start++) {
    const longest = Math.min(MAX_PERIOD_LINES, Math.floor((lines.length - start) / ROUNDS));
    for (let period = 1; period <= longest; period++) {
      const end = start + period;
      const round = lines.slice(start, end);
      const later = lines.slice(end, start + ROUNDS * period);
      if (LETTER.test(round.join("")) && later.every((line, i) => line === round[i % period])) return end;
    }
  }
  return lines.length;
}

/** Looks at the end of the text, which is where a model that began to go round still was when it was stopped. */
function cutCircleOfCharacters(text: string): string {
  for (let unit = MIN_UNIT; unit <= Math.min(MAX_UNIT, text.length / ROUNDS); unit++) {
    let start = text.length - unit;
    while (start > 0 && text[start - 1] === text[start - 1 + unit]) start--;
    const rounds = (text.length - start) / unit;
    if (rounds < (unit < SHORT_UNIT ? SHORT_UNIT_ROUNDS : ROUNDS)) continue;
    const firstRound = text.slice(start, start + unit);
    if (LETTER.test(firstRound)) return wellFormed(text.slice(0, start + unit));
  }
  return text;
}

/** Without the first half of a surrogate pair at its end. */
const wellFormed = (text: string): string =>
  (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.slice(0, -1) : text;
