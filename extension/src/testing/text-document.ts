/** A document that is a string, and counts how much of it was read. */
import type { ReadableDocument } from "../document-context.ts";

export interface TextDocument extends ReadableDocument {
  readonly charsRead: () => number;
}

export function textDocument(text: string): TextDocument {
  let charsRead = 0;
  return {
    languageId: "python",
    version: 1,
    textBetween(start, end) {
      const part = text.slice(Math.max(0, start), Math.max(0, end));
      charsRead += part.length;
      return part;
    },
    charsRead: () => charsRead,
  };
}
