/** A document as lines: what an editor can give away cheaply, however long the document is. */

export interface LineDocument {
  readonly languageId: string;
  /** Grows with each change; as it is now. */
  readonly version: number;
  readonly lineCount: number;
  /** Without its line end. */
  lineAt(line: number): string;
}

/** Both 0-based; `character` in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/**
 * The cells of a notebook as one document: what one cell defines the next one uses.
 *
 * @param above in the order of the notebook
 * @returns the document, and how many lines its last part has moved down
 */
export function below(
  above: readonly LineDocument[],
  document: LineDocument,
): { readonly document: LineDocument; readonly shift: number } {
  const parts = [...above, document];
  const shift = above.reduce((lines, { lineCount }) => lines + lineCount, 0);
  return {
    shift,
    document: {
      languageId: document.languageId,
      get version() {
        return document.version;
      },
      lineCount: shift + document.lineCount,
      lineAt(line) {
        // Most lines that are read are near the end.
        let from = shift + document.lineCount;
        for (const part of parts.toReversed()) {
          from -= part.lineCount;
          if (line >= from) return part.lineAt(line - from);
        }
        throw new RangeError(`no line ${line}`);
      },
    },
  };
}
