/** A definition in one line, without its body, comments and decorators: `total(lines: Line[]): number`. */
import type { Node } from "web-tree-sitter";
import type { Grammar } from "./grammar.ts";

/** Longer ones end in `…`: a line of context is worth its tokens up to about here. */
const MAX_LENGTH = 300;

export interface SignatureParts {
  /** In front of it, from the declaration that lists it among others: `export const`. */
  readonly words: string;
  readonly node: Node;
  /** Left out, with all that follows it. */
  readonly body: Node | null;
}

export function signatureOf(text: string, grammar: Grammar, { words, node, body }: SignatureParts): string {
  return oneLine(`${words} ${withoutNotes(text, grammar, node, body)}`);
}

/** What a declaration says before the first definition it lists: `private static int`. */
export function leadingWords(text: string, grammar: Grammar, list: Node, first: Node): string {
  return withoutNotes(text, grammar, list, first).replace(/\(\s*$/, "");
}

/** Comments and all: what is further down is in no signature. */
const MAX_SOURCE_LENGTH = 20 * MAX_LENGTH;
const MAX_SOURCE_LINES = 100;

/** The node's text up to the start of `next`, without comments and decorators. */
function withoutNotes(
  text: string,
  { comments, attributes }: Grammar,
  node: Node,
  next: Node | null,
): string {
  const end = Math.min(next?.startIndex ?? node.endIndex, node.startIndex + MAX_SOURCE_LENGTH);
  const whole = text.slice(node.startIndex, end);
  if (!/[@#]|\/[/*]/.test(whole)) return whole;
  const to = next?.startPosition ?? { row: node.startPosition.row + MAX_SOURCE_LINES, column: 0 };
  const notes = node.descendantsOfType([...comments, ...attributes], node.startPosition, to);
  let kept = "";
  let at = node.startIndex;
  for (const { startIndex, endIndex } of notes) {
    if (startIndex < at || startIndex >= end) continue;
    kept += `${text.slice(at, startIndex)} `;
    at = endIndex;
  }
  return kept + text.slice(Math.min(at, end), end);
}

function oneLine(text: string): string {
  const isOneLine = !/[^\S ]| {2}|[([] | [)\]]|,[)\]]/.test(text);
  const joined = isOneLine
    ? text
    : text
        .replace(/\s+/g, " ")
        .replace(/([([]) /g, "$1")
        .replace(/,? ([)\]])/g, "$1");
  const line = joined.trim().replace(/[\s{(:;,=]+$/, "");
  if (line.length <= MAX_LENGTH) return line;
  // A surrogate pair is not cut in half.
  return `${line.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
