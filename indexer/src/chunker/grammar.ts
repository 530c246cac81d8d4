/** What the chunker knows of a language: which nodes of its syntax tree are definitions, and how to read them. */
import type { ChunkKind } from "@dhi/core/chunk";
import type { Node } from "web-tree-sitter";

export interface Grammar {
  /** Node types by what they are; every other node is plain code. */
  readonly definitions: Readonly<Record<string, DefinitionRule>>;
  /** Imports, and what stands with them at a file's head: package clauses, directives, a module's docstring. */
  isImport(node: Node): boolean;
  /** A string that documents the class or module it stands in; left out: the language has comments for that. */
  readonly isDocstring?: (node: Node) => boolean;
  readonly comments: ReadonlySet<string>;
  /** Decorators, attributes and annotations. Where they are siblings, they belong to what follows. */
  readonly attributes: ReadonlySet<string>;
  /** Node types around a declaration that add nothing of their own, such as `export`. */
  readonly wrappers: ReadonlySet<string>;
  /** Node types that only hold a part of their parent's children. */
  readonly transparent: ReadonlySet<string>;
  /** Definitions that count inside a function's body too. Variables among them must hold a function: no locals. */
  readonly nested: readonly string[];
  /** Whether a text may hold one of them. Most hold none, and searching the tree takes longer. */
  mayNest(text: string): boolean;
  /**
   * The statements inside one that belong to the scope in which it stands, such as Python's `if`; `undefined` for every
   * other node, and left out when the language's blocks are scopes.
   */
  readonly blockStatements?: (node: Node) => readonly Node[] | undefined;
  /** Names that the file exports elsewhere than at their definition (`export { a }`); left out: it has no such form. */
  readonly exportedNames?: (root: Node) => ReadonlySet<string>;
  /** The language's own rule for one definition; what encloses it must be visible too, which is not asked here. */
  isExported(definition: DefinitionSite): boolean;
}

export interface DefinitionRule {
  /** `parent` is the definition whose member it is; `undefined` at the top level and inside a function. */
  readonly kind: ChunkKind | ((node: Node, parent: Node | undefined) => ChunkKind);
  /** Default: the field `name`. Destructuring defines several names, a default export may define none. */
  readonly names?: (node: Node) => readonly string[];
  /** What a signature leaves out. Default: the field `body`; `null` when all of it is signature. */
  readonly body?: (node: Node) => Node | null;
  /** Holds definitions of its own as children, whose container this one is; mostly the body. */
  readonly members?: (node: Node) => Node | null;
  /**
   * Nodes inside it that define fields: a record's components, which are members of its own; when it can have none, members
   * of what encloses it, such as a constructor's parameter properties and `self.x = …`.
   */
  readonly fields?: (node: Node) => readonly Node[];
  /** Node types of the children that are the real definitions, when this is a list of them: `const a = 1, b = 2`. */
  readonly list?: ReadonlySet<string>;
  /** A container that is not the enclosing node: the receiver of a Go method. */
  readonly container?: (node: Node) => string | null;
  /** Only holds members (Rust's `impl`, an object of methods inside another), so it is no symbol itself. */
  readonly reopens?: (node: Node) => boolean;
}

export interface DefinitionSite {
  readonly name: string;
  readonly node: Node;
  /** The node with its wrappers, from the outside in; ends with `node`. */
  readonly path: readonly Node[];
  /** The definition whose member this is; `undefined` at the top level. */
  readonly parent: Node | undefined;
  /** In one line, its modifiers first. */
  readonly signature: string;
  readonly exportedNames: ReadonlySet<string>;
}

/** For {@link DefinitionRule.reopens}. */
export const always = (): boolean => true;

/** For {@link DefinitionRule.members}. */
export const bodyOf = (node: Node): Node | null => node.childForFieldName("body");

export const field = (node: Node, name: string): Node | null => node.childForFieldName(name);
export const fieldText = (node: Node, name: string): string => field(node, name)?.text ?? "";
export const childOfType = (node: Node, ...types: string[]): Node | undefined =>
  node.namedChildren.find((child) => types.includes(child.type));
