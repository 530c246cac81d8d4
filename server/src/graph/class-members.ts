/** Members of classes: their own, inherited ones, and those that stand apart from their type. */
import { familyOf } from "./resolve/languages.ts";
import { inside, ofPackage, type Scope, type Target } from "./scope.ts";
import { type BaseName, type Located, qualified } from "./tree.ts";

/** How far base classes are followed. */
const MAX_BASES = 4;

/** Of a class, or else of those it extends. */
export function membersOfClass(scope: Scope, owner: Located, depth = MAX_BASES): Located[] {
  const { tree, use } = scope;
  const own = inside(tree, [owner], use.name);
  if (own.length) return own;
  const elsewhere = methodsApart(scope, owner);
  if (elsewhere.length) return elsewhere;
  if (depth === 0) return [];
  for (const base of tree.bases(owner.path, qualified(owner))) {
    const found = baseOf(scope, owner, base).flatMap((one) => membersOfClass(scope, one, depth - 1));
    if (found.length) return found;
  }
  return [];
}

/** `this.total()`: of the class around the use, or of one it extends. */
export function ownMembers(scope: Scope, first?: string): Target[] {
  const { tree, use } = scope;
  const around = (use.enclosing ?? "").split(".");
  for (let count = around.length; count > 0; count--) {
    const [name = "", container] = [around[count - 1], around.slice(0, count - 1).join(".") || null];
    for (const owner of ownersNamed(scope, name, container)) {
      const found = /^super/.test(first ?? "")
        ? tree
            .bases(owner.path, qualified(owner))
            .flatMap((base) => baseOf(scope, owner, base))
            .flatMap((one) => membersOfClass(scope, one))
        : membersOfClass(scope, owner);
      const isOwn = (symbol: Located) => symbol.container === qualified(owner);
      if (found.length)
        return found.map((definition) => ({
          definition,
          confidence: isOwn(definition) ? "exact" : "imported",
        }));
    }
  }
  return [];
}

export function ownField(scope: Scope, name: string): Located | undefined {
  const { tree, use } = scope;
  const around = (use.enclosing ?? "").split(".");
  for (let count = around.length; count > 0; count--) {
    const container = around.slice(0, count - 1).join(".") || null;
    for (const owner of ownersNamed(scope, around[count - 1] ?? "", container)) {
      const field = inside(tree, [owner], name).find(({ kind }) => kind === "variable");
      if (field) return field;
    }
  }
  return undefined;
}

/** `s` inside `func (s *Server) Run()`. */
export function isGoReceiver({ tree, family, use }: Scope, receiver: string): boolean {
  if (family !== "go" || use.enclosing === null || !/^\w+$/.test(receiver)) return false;
  const name = use.enclosing.slice(use.enclosing.lastIndexOf(".") + 1);
  return tree
    .symbols(use.path, name)
    .some(
      (symbol) => qualified(symbol) === use.enclosing && symbol.signature.startsWith(`func (${receiver} `),
    );
}

/** Classes of this name around the use: of its file, or where the language lets methods stand apart, of its package. */
function ownersNamed(scope: Scope, name: string, container: string | null): Located[] {
  const { tree, family, use } = scope;
  const isOwner = (symbol: Located) =>
    symbol.container === container && /^(class|interface|enum|type|variable)$/.test(symbol.kind);
  const own = tree.symbols(use.path, name).filter(isOwner);
  if (own.length || (family !== "go" && family !== "rust")) return own;
  return apart(scope, use.path, name).filter(isOwner);
}

/** Rust's `impl` blocks and Go's methods may stand in other files than their type. */
function methodsApart(scope: Scope, owner: Located): Located[] {
  const { family, use } = scope;
  if (family !== "rust" && family !== "go") return [];
  return apart(scope, owner.path, use.name).filter(({ container }) => container === qualified(owner));
}

/** In Rust anywhere: the names of types are distinct enough. */
function apart(scope: Scope, path: string, name: string): Located[] {
  if (scope.family === "go") return ofPackage(scope, path, name);
  return scope.tree.named(name).filter((symbol) => familyOf(symbol.path) === scope.family);
}

/** What a class's base is called leads to. */
export const baseOf = (
  { resolve }: Pick<Scope, "resolve">,
  owner: Located,
  { name, receiver, line }: BaseName,
): Located[] =>
  resolve({ path: owner.path, name, receiver, line, enclosing: owner.container })
    .filter(({ confidence }) => confidence !== "name")
    .map(({ definition }) => definition);
