/** Where an import leads, by its language's rules and from the tree alone: nothing is installed, nothing is run. */
import type { Tree } from "../tree.ts";

/** What an import may name: a file, a package of several, a folder that has no file of its own. */
export interface Module {
  /** They define its names, in this order. */
  readonly files: readonly string[];
  /** Where its submodules lie; `undefined` when the language has none, or names them with paths. */
  readonly folder?: string | undefined;
  /** A class, enum or inline module in the files, as `Outer.Inner`, when the path leads to it or on into it. */
  readonly owner?: string | undefined;
}

export interface Asked {
  /** Path of the file that imports. */
  readonly from: string;
  /** 1-based; where the import stands. */
  readonly line: number;
  /** See `ImportedName.specifier`. */
  readonly specifier: string;
}

export interface Resolver {
  /** @returns `undefined` when it leads out of the workspace, or nowhere */
  module(tree: Tree, asked: Asked): Module | undefined;
  /** What is a module by the name of its file or folder, inside another. */
  submodule?(tree: Tree, module: Module, name: string): Module | undefined;
  /** Every import of a module is seen by those who import it, not just what is exported again. */
  readonly importsAreVisible?: boolean;
  /** Whether another file's top-level names are in scope without an import: a Go package. */
  isSamePackage?(from: string, other: string): boolean;
  /** Files of the same package that may define the name. */
  packageFiles?(tree: Tree, from: string, name: string): readonly string[];
}
