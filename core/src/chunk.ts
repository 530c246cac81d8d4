/** The units of the index. They describe a file's content only: where it lies is membership (`path → blob`). */

/**
 * Part of what names a collection and marks a blob as analysed: a change to the chunker, the symbol queries or the text
 * that is embedded must change it, so that old and new never mix.
 */
export const CHUNKER_VERSION = "2";

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
  /**
   * What is stored, found, embedded and shown in place of `text`, where that is not what a person reads: the source of a
   * notebook's cell instead of its JSON. Left out: it is `text`.
   */
  readonly searchText?: string;
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

export type ReferenceKind =
  | "call"
  /** A type that is named: an annotation, a type argument, a literal of it. */
  | "type"
  /** A base class, an interface or a trait that is implemented or extended. */
  | "inherit";

/** A place that uses a name. The name is the last part: `invoice.total()` refers to `total`. */
export interface SymbolReference {
  readonly name: string;
  readonly kind: ReferenceKind;
  /** 1-based. */
  readonly line: number;
  /** The innermost definition around it, with its containers as in {@link Chunk.container}; `null` at the top level. */
  readonly enclosing: string | null;
  /** What stands before the last part: `invoice`, `self.items`, `fmt`; `null` for a plain name. */
  readonly receiver: string | null;
}

/**
 * One name that a file brings in. `import { a as b } from "./m"` has specifier `./m`, name `a`, local `b`. What a file
 * exports under another name than its own (`export { a as b }`, `export default main`) is an import from itself.
 */
export interface ImportedName {
  /**
   * As the language writes it: `./money`, `..billing.models`, `net/http`, `crate::model`, `com.shop.Invoice`; `self::model`
   * for Rust's `mod model;`; `""` for the file itself.
   */
  readonly specifier: string;
  /** As its own file calls it; `default` for a default export, `*` for all of them, `""` for the module itself. */
  readonly name: string;
  /** As this file calls it, `a.b` for `import a.b`; `""` when no name is bound (`import "./polyfill"`, `from m import *`). */
  readonly local: string;
  /** 1-based. */
  readonly line: number;
  /** Visible to those who import this file: `export … from`, `pub use`; in Python every import outside functions. */
  readonly exported: boolean;
}

export interface FileAnalysis {
  readonly chunks: readonly Chunk[];
  readonly symbols: readonly SymbolDefinition[];
  readonly references: readonly SymbolReference[];
  readonly imports: readonly ImportedName[];
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
  /** Its name is not UTF-8, so nobody can ask for it. */
  | "bad-name"
  | "outside"
  | "missing";
