/** Cuts before a bracket is closed that is not open, or that the code right of the cursor closes. */
import { closesTooMuch, isCloser } from "./brackets.ts";
import { afterCursor, beforeCursor } from "./cursor-line.ts";
import { openerOf, type Scan, scan } from "./scan.ts";
import type { Step, StepContext } from "./step.ts";
import { type Brackets, NEAR, type Surroundings, surroundingsOf } from "./surroundings.ts";

export const balanceBrackets: Step = (text, { request }) => {
  const around = surroundingsOf(request);
  const kept = around ? cutInFile(withoutMisfit(text, around), around, request) : cutInLine(text, request);
  if (kept.trim() !== "" || text.trim() === "") return kept;
  const isThere = request.suffix.trimStart().startsWith(text.trim().charAt(0));
  return { drop: isThere ? "repeats-suffix" : "unbalanced" };
};

/** `(a]` fits nowhere. */
function withoutMisfit(text: string, around: Surroundings): string {
  const misfit = around.read(text).closed.find(({ inOwn }) => inOwn);
  return misfit ? text.slice(0, misfit.at) : text;
}

/** What is closed must fit what is innermost, and be missing or opened again. */
function cutInFile(text: string, around: Surroundings, request: StepContext["request"]): string {
  const { missing } = around;
  if (!missing) return cutInLine(text, request);
  let kept = text;
  for (;;) {
    const read = around.read(kept);
    const misfit = read.closed.find(({ fits }) => !fits);
    const last = read.closers.at(-1);
    if (misfit) kept = kept.slice(0, misfit.at);
    else if (last === undefined) return kept;
    else if (closesMore(read, missing) || isBetterOpen(kept, last, read, around)) kept = kept.slice(0, last);
    else return kept;
  }
}

function closesMore(read: Scan, missing: Brackets): boolean {
  return Object.entries(missing).some(([opener, count]) => {
    const closes = read.closed.filter(({ what }) => openerOf[what] === opener).length;
    return closes > 0 && closes - opensOf(read, opener) > count;
  });
}

/** The text ends by closing its own bracket, and the next lines make more sense when it does not. */
function isBetterOpen(text: string, last: number, read: Scan, around: Surroundings): boolean {
  if (!/^[\s;,]*$/.test(text.slice(last + 1))) return false;
  // A block may be long; another bracket that far down is there for another reason.
  const near = text[last] === "}" ? around.suffix : around.suffix.slice(0, NEAR);
  const misfits = (from: Scan) =>
    scan(near, around.lexis, from.open).closed.filter(({ fits }) => !fits).length;
  return misfits(around.read(text.slice(0, last))) < misfits(read);
}

const opensOf = ({ open, kept }: Scan, opener: string): number =>
  open.slice(kept).filter((frame) => "bracket" in frame && frame.bracket === opener).length;

/** Where less is known, only what the rest of the cursor's line closes. */
function cutInLine(text: string, { prefix, suffix }: StepContext["request"]): string {
  const before = beforeCursor(prefix);
  const after = afterCursor(suffix);
  let kept = text;
  while (closesTooMuch(before, kept, after)) {
    let at = kept.length - 1;
    while (at > 0 && !isCloser(kept.charAt(at))) at--;
    kept = kept.slice(0, at);
  }
  return kept;
}
