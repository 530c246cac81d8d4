/** A document that is a string, and counts how many lines of it were read. */
import type { LineDocument, Position } from "../line-document.ts";

export interface CountingDocument extends LineDocument {
  readonly linesRead: () => number;
}

export function lineDocument(text: string, changed: Partial<LineDocument> = {}): CountingDocument {
  const lines = text.split(/\r?\n/);
  let linesRead = 0;
  return {
    languageId: "python",
    version: 1,
    lineCount: lines.length,
    lineAt(line) {
      linesRead++;
      const found = lines[line];
      if (found === undefined) throw new RangeError(`no line ${line}`);
      return found;
    },
    linesRead: () => linesRead,
    ...changed,
  };
}

/** Where `text` ends. */
export function endOf(text: string): Position {
  const lines = text.split(/\r?\n/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
