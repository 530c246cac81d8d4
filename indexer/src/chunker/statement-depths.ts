/** Where statements begin: the places at which code that is too large may be cut. */
import type { Node } from "web-tree-sitter";
import type { SourceText } from "./source-text.ts";

/** Comments and decorators stay with what follows: the line below one is no place to cut. */
const NOTE = /comment|decorator|attribute|annotation/;

/**
 * @returns for each line that starts with a node, how deep that node lies below `node`; lines inside a string, or that
 * start with a closing bracket, have none
 */
export function statementDepths(source: SourceText, node: Node): Map<number, number> {
  const depths = new Map<number, number>();
  const cursor = node.walk();
  let depth = 0;
  let afterNote = false;
  for (;;) {
    const start = cursor.startIndex;
    const lineStart = source.lineStart(start);
    const startsLine = !depths.has(lineStart) && source.weight(lineStart, start) === 0;
    // What comes before the node itself is its doc comment.
    const isPlace = depth > 0 && !afterNote;
    if (startsLine && cursor.nodeIsNamed) depths.set(lineStart, isPlace ? depth : Number.POSITIVE_INFINITY);
    // A line starts only inside what goes on to another one, which most nodes do not.
    const hasLines = source.lineStart(cursor.endIndex) !== lineStart;
    const isNote = (hasLines || startsLine) && NOTE.test(cursor.nodeType);
    if (hasLines && !isNote && cursor.gotoFirstChild()) {
      depth++;
      afterNote = false;
      continue;
    }
    afterNote = isNote;
    while (!cursor.gotoNextSibling()) {
      if (depth === 0 || !cursor.gotoParent()) {
        cursor.delete();
        return depths;
      }
      depth--;
      afterNote = false;
    }
  }
}
