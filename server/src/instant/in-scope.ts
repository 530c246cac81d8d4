/** Which words near above the cursor are in scope there, going by the indent of their lines alone: so in any language. */
import { isLineBreak } from "./lexer.ts";
import type { OpenFile } from "./open-file.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * - `head`: of a line that what the cursor stands in begins with: a parameter, the variable of a loop
 * - `block`: of a line of the same block as the cursor, or of one around it
 */
export type InScope = "head" | "block";

/** Tokens above the cursor's line that are looked at. */
const MOST = 1_500;

/** @returns words → how; those of blocks that are over, and of no line near above, are not in it */
export function inScope({ above, tail, indent }: OpenFile, vocabulary: Vocabulary): Map<number, InScope> {
  const found = new Map<number, InScope>();
  /** Of the innermost block that is still open on the way up, and of the line that is read. */
  let block = indentOf(tail.slice(tail.lastIndexOf("\n") + 1));
  let own: number | undefined = indent.length;
  /** Of the head whose lines are read: one that begins with a closing bracket goes on above it. */
  let head: number | undefined;
  let end = above.length;
  for (let place = above.length - 1; place >= Math.max(0, above.length - MOST); place--) {
    const text = vocabulary.text(above.id(place));
    const isStart = place === 0;
    if (!isLineBreak(text) && !isStart) continue;
    const start = isStart ? place : place + 1;
    if (own < block || (head !== undefined && own >= head)) {
      readLine(start, end, "head");
      const isClosed = /^[)\]]/.test(vocabulary.text(above.id(start)));
      if (own < block) {
        head = isClosed ? own : undefined;
        block = own;
      } else if (own === head) head = undefined;
    } else if (own === block) readLine(start, end, "block");
    end = place;
    own = indentBefore(own, text);
    if (own === undefined) break;
  }
  return found;

  function readLine(from: number, to: number, how: InScope): void {
    for (let place = from; place < to; place++) {
      const id = above.id(place);
      const isMember = place > from && vocabulary.isDot(above.id(place - 1));
      if (vocabulary.isName(id) && !isMember && found.get(id) !== "head") found.set(id, how);
    }
  }
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** @param lineBreak as the lexer writes it @returns `undefined` where tabs and spaces mix */
function indentBefore(indent: number, lineBreak: string): number | undefined {
  const change = lineBreak.slice(lineBreak.lastIndexOf("\n") + 1);
  if (change.startsWith("+")) return indent - (change.length - 1);
  return change.startsWith("-") ? indent + Number(change.slice(1)) : undefined;
}
