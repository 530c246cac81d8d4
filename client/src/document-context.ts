/** Document + cursor → the code around it, for the server or to find a known answer again. Never the whole document. */
import type { LineDocument, Position } from "./line-document.ts";
import { wireText } from "./wire-text.ts";

export interface DocumentContext {
  readonly languageId: string;
  readonly documentVersion: number;
  /** Line ends are `\n`: VS Code puts the document's own back when it inserts a completion. */
  readonly prefix: string;
  readonly suffix: string;
}

/** A replacement that the suggest widget has selected, as if it were in the document already. */
export interface Replacement {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

interface Window {
  /** In UTF-16 units, at least. Up to twice as much is taken to begin at a hop. */
  readonly prefixChars: number;
  readonly suffixChars: number;
  /**
   * The prefix starts at a line that is a multiple of this, not at a fixed distance from the cursor: while one types it
   * keeps its head. The server counts its own window from there, and the prompt cache of an engine lives on that.
   */
  readonly hopLines: number;
}

/**
 * Several times what a prompt of the default 2,048 tokens can hold, so that the server chooses what to keep, and small
 * enough to send per keystroke.
 */
const SENT: Window = { prefixChars: 20_000, suffixChars: 5_000, hopLines: 64 };

/** What `restOfAnswer` looks at, and the text of an answer. It is read at each key, the rest for a request only. */
const NEAR: Window = { prefixChars: 2_048, suffixChars: 512, hopLines: 16 };

/** @param at the cursor, or what the selected suggestion would put around it */
export function documentContext(document: LineDocument, at: Position | Replacement): DocumentContext {
  const { prefix, suffix } = around(document, at, SENT);
  return {
    languageId: document.languageId,
    documentVersion: document.version,
    prefix: wireText(prefix),
    suffix: wireText(suffix),
  };
}

/** As {@link documentContext}, but of the next few lines only, as they stand in the document. */
export const nearContext = (
  document: LineDocument,
  at: Position | Replacement,
): Pick<DocumentContext, "prefix" | "suffix"> => around(document, at, NEAR);

function around(document: LineDocument, at: Position | Replacement, window: Window) {
  const { start, end, text } = "start" in at ? at : { start: at, end: at, text: "" };
  return { prefix: linesBefore(document, start, window) + text, suffix: linesAfter(document, end, window) };
}

function linesBefore(document: LineDocument, { line, character }: Position, window: Window): string {
  const { prefixChars, hopLines } = window;
  const cut = lineStart(character, window);
  let text = document.lineAt(line).slice(cut, character);
  // A cut line has no whole one above it.
  let at = cut === 0 ? line : 0;
  while (at > 0 && !(at % hopLines === 0 && text.length >= prefixChars)) {
    const above = document.lineAt(at - 1);
    if (text.length + above.length + 1 > 2 * prefixChars) break;
    text = `${above}\n${text}`;
    at--;
  }
  return text;
}

function linesAfter(document: LineDocument, { line, character }: Position, { suffixChars }: Window): string {
  let text = document.lineAt(line).slice(character, character + 2 * suffixChars);
  for (let at = line + 1; at < document.lineCount && text.length < suffixChars; at++)
    text += `\n${document.lineAt(at).slice(0, 2 * suffixChars)}`;
  return text;
}

/** Of a line that alone is longer than a prefix, such as minified code: it is cut in hops too. */
function lineStart(character: number, { prefixChars }: Window): number {
  const hop = prefixChars / 4;
  return Math.max(0, Math.floor((character - prefixChars) / hop) * hop);
}
