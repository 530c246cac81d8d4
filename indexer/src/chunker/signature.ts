/** A definition in one line, without its body, comments and decorators: `total(lines: Line[]): number`. */
import type { Node } from "web-tree-sitter";
import type { Grammar } from "./grammar.ts";

/** Longer ones end in `…`: a line of context is worth its tokens up to about here. */
const MAX_LENGTH = 300;

export interface SignatureParts {
  /** Left out, with all that follows it. */
  readonly body: Node | null;
  readonly node: Node;
  /** The declaration that lists it among others; its first words belong to each of them. */
  readonly head: Node | undefined;
}

export function signatureOf(text: string, grammar: Grammar, { head, node, body }: SignatureParts): string {
  const outer = head ?? node;
  const end = body ? body.startIndex : node.endIndex;
  const omitted = mayHoldNotes(text.slice(outer.startIndex, end)) ? notesIn(outer, grammar) : [];
  const own = without(text, node.startIndex, end, omitted);
  if (!head) return oneLine(own);
  const types = grammar.definitions[head.type]?.list ?? new Set();
  const firstListed = head.descendantsOfType([...types])[0] ?? node;
  const words = without(text, head.startIndex, firstListed.startIndex, omitted).replace(/\(\s*$/, "");
  return oneLine(`${words} ${own}`);
}

const mayHoldNotes = (text: string) => /[@#]|\/[/*]/.test(text);

const notesIn = (node: Node, { comments, attributes }: Grammar) =>
  node.descendantsOfType([...comments, ...attributes]);

function without(text: string, from: number, to: number, omitted: readonly Node[]): string {
  let kept = "";
  let at = from;
  for (const { startIndex, endIndex } of omitted) {
    if (startIndex < at || startIndex >= to) continue;
    kept += `${text.slice(at, startIndex)} `;
    at = endIndex;
  }
  return kept + text.slice(Math.min(at, to), to);
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 20 * MAX_LENGTH)
    .replace(/\s+/g, " ")
    .replace(/([([]) /g, "$1")
    .replace(/,? ([)\]])/g, "$1")
    .replace(/[\s{(:;,=]+$/, "")
    .trim();
  if (line.length <= MAX_LENGTH) return line;
  // A surrogate pair is not cut in half.
  return `${line.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
