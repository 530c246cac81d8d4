/** The units of the index. They describe a file's content only: where it lies is membership (`path → blob`). */

/**
 * Part of what names a collection and marks a blob as analysed: a change to the chunker, the symbol queries or the text
 * that is embedded must change it, so that old and new never mix.
 */
export const CHUNKER_VERSION = "1";

export type ChunkKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "type"
  | "enum"
  | "module"
  | "variable"
  | "imports"
  /** Several small neighbours, or code between definitions. */
  | "block"
  /** A window of lines, for languages without a grammar. */
  | "lines";

/** A contiguous piece of a file. The chunks of a file, concatenated in order, are the file. */
export interface Chunk {
  readonly kind: ChunkKind;
  /** The defined name, when the chunk is one definition. */
  readonly name: string | null;
  /** Names of what encloses it, outermost first, joined by `.`: `Billing.Invoice`. */
  readonly container: string | null;
  /** One line, body left out: `total(lines: Line[]): number`. */
  readonly signature: string | null;
  /** 1-based and inclusive. A chunk that starts inside a line shares that line's number with its neighbour. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** A definition, for looking up a name. Lines are 1-based and inclusive, and include its doc comment and decorators. */
export interface SymbolDefinition {
  readonly name: string;
  readonly kind: ChunkKind;
  readonly signature: string;
  readonly container: string | null;
  readonly startLine: number;
  readonly endLine: number;
  /** Visible outside its file by the language's own rule (`export`, a capital in Go, `pub`, `public`, no `_` in Python). */
  readonly exported: boolean;
}

export interface FileAnalysis {
  readonly chunks: readonly Chunk[];
  readonly symbols: readonly SymbolDefinition[];
}

/** Why a file stays out of the index. A reason, not an error: skipping is the normal case. */
export type SkipReason =
  | "ignored"
  | "binary"
  | "too-large"
  | "generated"
  | "minified"
  | "secret"
  | "unreadable"
  /** Not a plain file: directory, FIFO, socket, device, a symbolic link, a submodule. */
  | "not-a-file"
  | "outside"
  | "missing";
