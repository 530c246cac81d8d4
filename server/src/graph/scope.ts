/** One use of a name, and what it takes to say where that leads. */
import type { ImportedName, SymbolReference } from "@dhi/core/chunk";
import { type Family, resolverOf } from "./resolve/languages.ts";
import { type Located, MAX_NAMESAKES, qualified, type Tree } from "./tree.ts";

/**
 * - `exact`: in scope in the same file or package, or imported by its name from the file that defines it
 * - `imported`: through a namespace or wildcard import, a re-export, a base class, or a receiver whose type is in scope
 * - `name`: the same name, and nothing that says otherwise
 */
export type Confidence = "exact" | "imported" | "name";

export interface Target {
  readonly definition: Located;
  readonly confidence: Confidence;
}

/** A reference and the file it stands in. */
export type Use = Pick<SymbolReference, "name" | "line" | "enclosing" | "receiver"> & {
  readonly path: string;
};

export interface Scope {
  readonly tree: Tree;
  readonly family: Family;
  readonly use: Use;
  /** Where another use leads, on the way to where this one does. */
  resolve(use: Use): readonly Target[];
}

/** Between the words of a receiver. */
export const SEPARATOR = /::|\./;
export const WORD = /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u;

export const targets = (definitions: readonly Located[], confidence: Confidence): Target[] =>
  definitions.map((definition) => ({ definition, confidence }));

export const inside = (tree: Tree, owners: readonly Located[], name: string): Located[] =>
  owners.flatMap((owner) =>
    tree.symbols(owner.path, name).filter(({ container }) => container === qualified(owner)),
  );

/** `export { a } from "./m"` passes `a` on without having it; an import that is exported too is there twice. */
export const binds = (family: Family, { exported }: ImportedName): boolean =>
  family !== "ecmascript" || !exported;

/** What the package of a file defines under a name, in whichever file; nothing where the language has no such scope. */
export function ofPackage({ tree, family }: Scope, path: string, name: string): Located[] {
  const { isSamePackage, packageFiles } = resolverOf(family);
  if (!isSamePackage) return [];
  const all = tree.named(name);
  // Of a name as common as `New` not all can be looked at.
  if (all.length >= MAX_NAMESAKES)
    return (packageFiles?.(tree, path, name) ?? []).flatMap((file) => tree.symbols(file, name));
  return all.filter((symbol) => isSamePackage(path, symbol.path));
}
