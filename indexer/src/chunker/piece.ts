/** Ranges of a text on their way to being chunks. */
import type { Chunk } from "@dhi/core/chunk";
import type { OutlineItem } from "./outline.ts";

export type Label = Pick<Chunk, "kind" | "name" | "signature">;

export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly role:
    | OutlineItem["role"]
    /** What stands before the first member of a class that is too large for one chunk, and its bracket after the last. */
    | "header"
    | "closing"
    /** Of a definition or code that is too large for one chunk. */
    | "part";
  /** `null` when it is not one definition. */
  readonly label: Label | null;
  readonly container: string | null;
  /** Only pieces of the same scope are put together. */
  readonly scope: PieceScope;
}

/** The file, or the class whose members are pieces of their own. */
export interface PieceScope {
  /** A file has no header: what stands before its first item goes with that item. */
  readonly isFile: boolean;
  readonly start: number;
  readonly end: number;
  /** Labels the header; `null` for the file and for a list such as Go's `const (…)`. */
  readonly label: Label | null;
  /** What the header stands in. */
  readonly outerContainer: string | null;
  /** What the members stand in. */
  readonly container: string | null;
}
