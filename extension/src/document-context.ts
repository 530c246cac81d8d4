/** Document + cursor → the code that the server gets. Never the whole document: only a window around the cursor. */

/** An open document, by offsets in UTF-16 units from its start. */
export interface ReadableDocument {
  readonly languageId: string;
  readonly version: number;
  /** Clamped to the document at both ends. */
  textBetween(start: number, end: number): string;
}

export interface DocumentContext {
  readonly languageId: string;
  readonly documentVersion: number;
  /** Line ends are `\n`: VS Code puts the document's own back when it inserts a completion. */
  readonly prefix: string;
  readonly suffix: string;
}

/** A replacement that the suggest widget has selected, as if it were in the document already. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Several times what a prompt of the default 2,048 tokens can hold, so that the server chooses what to keep, and small
 * enough to send per keystroke.
 */
const PREFIX_CHARS = 20_000;
const SUFFIX_CHARS = 5_000;

/**
 * The prefix starts at multiples of this, not at a fixed distance from the cursor: while one types it keeps its head,
 * which the prompt cache of an engine lives on.
 */
const HOP_CHARS = 4_096;

/** @param at the cursor, or what the selected suggestion would put around it */
export function documentContext(document: ReadableDocument, at: number | Replacement): DocumentContext {
  const { start, end, text } = typeof at === "number" ? { start: at, end: at, text: "" } : at;
  const from = Math.max(0, Math.floor((start - PREFIX_CHARS) / HOP_CHARS) * HOP_CHARS);
  const before = document.textBetween(from, start);
  return {
    languageId: document.languageId,
    documentVersion: document.version,
    prefix: plain((from > 0 ? fromFirstLineStart(before) : before) + text),
    suffix: plain(document.textBetween(end, end + SUFFIX_CHARS)),
  };
}

function fromFirstLineStart(text: string): string {
  const newline = text.indexOf("\n");
  return newline < 0 ? text : text.slice(newline + 1);
}

/** The wire takes no NUL and no lone surrogate; a window may cut a pair in two, and files may hold either. */
const plain = (text: string): string =>
  text.replaceAll("\r\n", "\n").replaceAll("\0", "\uFFFD").toWellFormed();
