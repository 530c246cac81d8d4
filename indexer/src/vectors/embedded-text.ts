/** What is embedded for a chunk. */

export interface EmbeddedChunk {
  readonly path: string;
  readonly container: string | null;
  readonly signature: string | null;
  readonly text: string;
}

/** Blank lines alone are not. */
export const isEmbedded = (text: string): boolean => /\S/.test(text);

/**
 * Where a chunk stands says much about what it is for, so that comes first; one line each.
 *
 * A vector is kept by the chunk's text alone and the first path stands in it: a renamed file, or a copy, costs no
 * embedding and keeps the old path's flavour.
 */
export const embeddedText = ({ path, container, signature, text }: EmbeddedChunk): string =>
  [path, container, signature, text].filter((part) => part !== null && part !== "").join("\n");
