/** What is asked of the TypeScript process, and what it answers: plain data, since it goes from process to process. */

/** Looks at one file. */
export interface LookRequest {
  /** Absolute path of the workspace, without symbolic links. */
  readonly root: string;
  /** Another one than in the last request for the workspace: nothing of what was answered is known any more. */
  readonly session: string;
  /** Of the file, relative to the workspace. */
  readonly path: string;
  /** Another one than in the last request: files may have changed on the disk. */
  readonly epoch: number;
  /** The unsaved buffer that stands for the file. */
  readonly text?: string;
  /** Projects that are not to be loaded, see {@link Unknown}. */
  readonly without: readonly string[];
}

/** All the program of a file says; every text is one line. */
export interface FileFacts {
  readonly kind: "facts";
  readonly project: string;
  /**
   * Files and folders that decide how the project is read, relative to the workspace: what its settings extend, and
   * where packages are installed. One that does not exist may come to.
   */
  readonly inputs: readonly string[];
  readonly names: readonly NameFacts[];
  /** Types that were not in an answer since the files last changed. */
  readonly types: readonly TypeFacts[];
  /** Workspace files it imports; for a path that leads nowhere, where it would lead, without an extension. */
  readonly imports: readonly string[];
  /** Another one when the types of what it exports change. */
  readonly shape: string;
}

/** Why nothing is known of a file. */
export interface Unknown {
  readonly kind: "unknown";
  readonly project: string;
  readonly inputs: readonly string[];
  readonly reason: string;
  /** The same holds for every file of the project. */
  readonly wholeProject: boolean;
}

export type LookAnswer = FileFacts | Unknown;

export type NameKind =
  | "variable"
  | "parameter"
  /** Called: its type is the type that a call returns. */
  | "function"
  | "class"
  | "enum"
  | "namespace"
  /** No value: its type is the type that the name stands for. */
  | "interface"
  | "type"
  /** `this` inside a class. */
  | "this";

/** Something in scope that an expression can begin with. */
export interface NameFacts {
  readonly name: string;
  readonly kind: NameKind;
  /** 1-based line where it is declared, and the last one where it can be seen. */
  readonly line: number;
  readonly endLine: number;
  readonly type: string;
  /** Key of its type; left out for types without members, such as `any`. */
  readonly typeKey?: string;
  /** How it is declared; for what can be called, constructed or imported. */
  readonly signature?: string;
}

/** A type by its key, which names what it is, not what is in it: an edited class keeps its key and so its users. */
export interface TypeFacts {
  readonly key: string;
  readonly text: string;
  /** Workspace file that declares it. */
  readonly path?: string;
  /** The generic type whose members it has, when it is one with arguments; the constraint of a type parameter. */
  readonly target?: string;
  /** Its arguments, in the order of the target's parameters. */
  readonly args?: readonly TypeArgument[];
  /** Keys of its own type parameters. */
  readonly params?: readonly string[];
  /** Key of what a call returns, of what `new` makes, and of what stands behind `[…]`. */
  readonly returns?: string;
  readonly constructs?: string;
  readonly element?: string;
  /** Left out for one that is too large, or too far away from the names of the workspace. */
  readonly members?: readonly MemberFacts[];
}

export interface TypeArgument {
  /** Left out for a type without members. */
  readonly key?: string;
  readonly text: string;
}

export interface MemberFacts {
  readonly name: string;
  /** A method is what can be called and has no members of its own. */
  readonly kind: "property" | "method";
  readonly signature: string;
  readonly access?: "private" | "protected";
  /** Key of a property's type; of a method, of what it returns. */
  readonly result?: string;
}
