/** Document + cursor → the code that the server gets. Never the whole document: only the lines around the cursor. */
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

/**
 * Several times what a prompt of the default 2,048 tokens can hold, so that the server chooses what to keep, and small
 * enough to send per keystroke. Up to twice as much is sent to begin at a hop.
 */
const PREFIX_CHARS = 20_000;
const SUFFIX_CHARS = 5_000;

/**
 * The prefix starts at a line that is a multiple of this, not at a fixed distance from the cursor: while one types it
 * keeps its head. The server counts its own window from there, and the prompt cache of an engine lives on that.
 */
const HOP_LINES = 64;

/** @param at the cursor, or what the selected suggestion would put around it */
export function documentContext(document: LineDocument, at: Position | Replacement): DocumentContext {
  const { start, end, text } = "start" in at ? at : { start: at, end: at, text: "" };
  return {
    languageId: document.languageId,
    documentVersion: document.version,
    prefix: wireText(linesBefore(document, start) + text),
    suffix: wireText(linesAfter(document, end)),
  };
}

function linesBefore(document: LineDocument, { line, character }: Position): string {
  const cursorLine = document.lineAt(line);
  const lines = [cursorLine.slice(lineStart(character), character)];
  let chars = lines[0]?.length ?? 0;
  // A cut line has no whole one above it.
  let at = lineStart(character) === 0 ? line : 0;
  while (at > 0 && !(at % HOP_LINES === 0 && chars >= PREFIX_CHARS)) {
    const above = document.lineAt(at - 1);
    chars += above.length + 1;
    if (chars > 2 * PREFIX_CHARS) break;
    lines.push(above);
    at--;
  }
  return lines.reverse().join("\n");
}

function linesAfter(document: LineDocument, { line, character }: Position): string {
  const lines = [document.lineAt(line).slice(character, character + 2 * SUFFIX_CHARS)];
  let chars = lines[0]?.length ?? 0;
  for (let at = line + 1; at < document.lineCount && chars < SUFFIX_CHARS; at++) {
    const below = document.lineAt(at).slice(0, 2 * SUFFIX_CHARS);
    chars += below.length + 1;
    lines.push(below);
  }
  return lines.join("\n");
}

/** Of a line that alone is longer than a prefix, such as minified code: it is cut in hops too. */
const lineStart = (character: number): number => {
  const hop = PREFIX_CHARS / 4;
  return Math.max(0, Math.floor((character - PREFIX_CHARS) / hop) * hop);
};
