/** A document that can be edited, and counts what is read of it. */
import { EndOfLine, Position, Range, type Uri } from "./values.ts";

export interface Change {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly range: Range;
  readonly text: string;
}

export class TextDocument {
  readonly uri: Uri;
  readonly languageId: string;
  version = 1;
  isDirty = false;
  readonly eol: 1 | 2;
  lines: string[];
  linesRead = 0;
  wholeReads = 0;
  constructor(uri: Uri, text: string, languageId: string) {
    this.uri = uri;
    this.languageId = languageId;
    this.eol = text.includes("\r\n") ? EndOfLine.CRLF : EndOfLine.LF;
    this.lines = text.split(/\r?\n/);
  }
  get lineCount(): number {
    return this.lines.length;
  }
  lineAt(line: number): { readonly text: string } {
    this.linesRead++;
    return { text: this.lines[line] ?? "" };
  }
  getText(range?: Range): string {
    if (!range) this.wholeReads++;
    const text = this.lines.join(this.eol === EndOfLine.CRLF ? "\r\n" : "\n");
    return range ? text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : text;
  }
  offsetAt({ line, character }: Position): number {
    let offset = character;
    for (let at = 0; at < line; at++) offset += (this.lines[at]?.length ?? 0) + this.eol;
    return offset;
  }
  positionAt(offset: number): Position {
    let rest = offset;
    for (const [line, text] of this.lines.entries()) {
      if (rest <= text.length) return new Position(line, rest);
      rest -= text.length + this.eol;
    }
    return new Position(this.lines.length - 1, this.lines.at(-1)?.length ?? 0);
  }
  /** @returns the change, as VS Code tells it: with the document's own line ends */
  replace(start: Position, end: Position, inserted: string): Change {
    const text = this.eol === EndOfLine.CRLF ? inserted.replace(/\r?\n/g, "\r\n") : inserted;
    const change = {
      ...{ range: new Range(start, end), rangeOffset: this.offsetAt(start), text },
      rangeLength: this.offsetAt(end) - this.offsetAt(start),
    };
    const [before = "", after = ""] = [this.lines[start.line], this.lines[end.line]];
    const lines = (before.slice(0, start.character) + text + after.slice(end.character)).split(/\r?\n/);
    this.lines.splice(start.line, end.line - start.line + 1, ...lines);
    this.version++;
    this.isDirty = true;
    return change;
  }
}
