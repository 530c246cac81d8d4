/** What a language's reader makes of the `@import` captures of its query. */
import type { ImportedName } from "@dhi/core/chunk";
import type { Node } from "web-tree-sitter";

/** An import and the node whose line it stands on. */
export interface ReadImport extends Omit<ImportedName, "line"> {
  readonly node: Node;
}

/** @param nodes all of a file, in the order of the text */
export type ImportReader = (nodes: readonly Node[]) => ReadImport[];

/** A path over several lines, as one word. */
export const withoutSpaces = (text: string): string => text.replace(/\s+/g, "");
