/** Where a use of a name leads, and how sure that is. */
import type { ImportedName, SymbolReference } from "@dhi/core/chunk";
import { findExport, moduleOf } from "./exports.ts";
import { declaredType } from "./receiver-type.ts";
import { type Family, familyOf, resolverOf } from "./resolve/languages.ts";
import type { Module } from "./resolve/resolver.ts";
import { type BaseName, type Located, MAX_NAMESAKES, qualified, type Tree } from "./tree.ts";

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

/** A method that more classes have than this could be anyone's. */
const MAX_SAME_NAME = 8;
const SEPARATOR = /::|\./;
/** How far base classes are followed. */
const MAX_BASES = 4;

/** @returns no targets for what leads out of the workspace */
export function targetsOf(tree: Tree, use: Use): readonly Target[] {
  const family = familyOf(use.path);
  if (!family) return [];
  const { path, name, receiver, enclosing, line } = use;
  const scope: Scope = { tree, family, use };
  return tree.once<readonly Target[]>(
    // A variable is another one further down.
    `targets ${name} ${enclosing} ${receiver === null ? "" : `${receiver} ${line}`} ${path}`,
    () => (receiver === null ? plain(scope) : member(scope, receiver)),
    [],
  );
}

interface Scope {
  readonly tree: Tree;
  readonly family: Family;
  readonly use: Use;
}

const targets = (definitions: readonly Located[], confidence: Confidence): Target[] =>
  definitions.map((definition) => ({ definition, confidence }));

/** `total(…)`: local, imported, of the package, or from a wildcard import. */
function plain(scope: Scope): Target[] {
  const { tree, family, use } = scope;
  const { path, name } = use;
  const local = tree.symbols(path, name).filter((symbol) => isInScope(scope, symbol));
  // What a function defines hides what the file imports.
  const inner = local.filter(({ container }) => container !== null);
  if (inner.length) return targets(inner, "exact");
  const imported = importedAs(scope, name);
  if (imported) return imported;
  if (local.length) return targets(local, "exact");

  const neighbours = ofPackage(scope, path, name).filter(({ container }) => container === null);
  if (neighbours.length) return targets(neighbours, "exact");
  if (family === "java") {
    const inherited = ownMembers(scope);
    if (inherited.length) return inherited;
  }
  for (const one of tree.imports(path)) {
    if (one.name !== "*" || one.local !== "" || !binds(family, one)) continue;
    const module = moduleOf(tree, family, path, one);
    const found = module && findExport(tree, family, module, name);
    if (found?.definitions.length) return targets(found.definitions, "imported");
  }
  return [];
}

/** What the package of a file defines under a name, in whichever file; nothing where the language has no such scope. */
function ofPackage({ tree, family }: Scope, path: string, name: string): Located[] {
  const { isSamePackage, packageFiles } = resolverOf(family);
  const all = tree.named(name);
  // Of a name as common as `New` not all can be looked at.
  if (all.length >= MAX_NAMESAKES)
    return (packageFiles?.(tree, path, name) ?? []).flatMap((file) => tree.symbols(file, name));
  return all.filter((symbol) => isSamePackage?.(path, symbol.path) ?? false);
}

/** `export { a } from "./m"` passes `a` on without having it; an import that is exported too is there twice. */
const binds = (family: Family, { exported }: ImportedName): boolean => family !== "ecmascript" || !exported;

/** Whether a definition of the same file may be called by its bare name from inside the use's definition. */
function isInScope({ family, use }: Scope, { container, kind }: Located): boolean {
  if (container === null) return true;
  const isAround = `${use.enclosing ?? ""}.`.startsWith(`${container}.`);
  if (family === "java") return isAround;
  return isAround && kind !== "method" && kind !== "variable";
}

/** @returns `undefined` when the file imports nothing under this name; no targets when that is not in the workspace */
function importedAs({ tree, family, use }: Scope, local: string): Target[] | undefined {
  const imports = tree
    .imports(use.path)
    .filter((one) => one.local === local && one.specifier !== "" && binds(family, one));
  if (!imports.length) return undefined;
  for (const one of imports) {
    const module = moduleOf(tree, family, use.path, one);
    if (!module) continue;
    const isModule = one.name === "" || one.name === "*";
    const found = findExport(tree, family, module, isModule ? "default" : one.name);
    if (found) return targets(found.definitions, found.passedOn || isModule ? "imported" : "exact");
  }
  return [];
}

/** `invoice.total(…)`: by what the receiver is. */
function member(scope: Scope, receiver: string): Target[] {
  const { family } = scope;
  const made = /^(?:new )?([\w$.:]+)\(/.exec(receiver)?.[1];
  if (made !== undefined && made !== "super" && endsItsCall(receiver)) return ofInstance(scope, made);
  const parts = receiver.split(SEPARATOR);
  const [first = ""] = parts;
  if (/^(this|self|cls|super|Self)(\(\))?$/.test(first)) {
    const own = parts.length === 1 ? ownMembers(scope, first) : [];
    // Rust's `self::total()` names the module.
    if (own.length || family !== "rust")
      return own.length || parts.length === 1 ? own : variableMember(scope);
  } else if (isGoReceiver(scope, receiver)) return ownMembers(scope);

  const holder = holderOf(scope, parts);
  if (holder === "outside") return [];
  if (holder) {
    const found = membersOf(scope, holder);
    if (found) return found;
  }
  return variableMember(scope);
}

/** `Invoice(1)` does, `Invoice(1).copy()` is what a method returns. */
const endsItsCall = (receiver: string) => receiver.endsWith(")") && !receiver.slice(0, -1).includes(")");

/** `new Invoice(1)`, `Invoice(1)`: an instance when that is a class. What functions return is not known. */
function ofInstance(scope: Scope, callee: string): Target[] {
  const holder = holderOf(scope, callee.split(SEPARATOR));
  if (holder === "outside") return [];
  const owners = (holder?.definitions ?? []).filter(({ kind }) => kind === "class");
  return (
    (owners.length > 0 && membersOf(scope, { definitions: owners, isLocal: holder?.isLocal ?? false })) ||
    variableMember(scope)
  );
}

/** What a receiver's words lead to. */
interface Holder {
  readonly module?: Module | undefined;
  readonly definitions: readonly Located[];
  readonly isLocal: boolean;
}

/** @returns `"outside"` for what is imported from elsewhere; `undefined` for a variable */
function holderOf(scope: Scope, parts: readonly string[]): Holder | "outside" | undefined {
  const { tree, family, use } = scope;
  if (!parts.every((part) => WORD.test(part))) return undefined;
  const imports = tree.imports(use.path).filter((one) => one.specifier !== "" && binds(family, one));
  // `import a.b` is called by all of its words.
  for (let count = parts.length; count > 0; count--) {
    const local = parts.slice(0, count).join(".");
    const named = imports.filter((one) => one.local === local);
    for (const one of named) {
      const module = moduleOf(tree, family, use.path, one);
      if (!module) continue;
      const isModule = one.name === "" || one.name === "*";
      const start = isModule
        ? { module, definitions: [], isLocal: false }
        : { ...findExport(tree, family, module, one.name), isLocal: false };
      const holder = into(scope, { definitions: [], ...start }, parts.slice(count));
      if (holder) return holder;
    }
    if (named.length) return "outside";
  }
  const [first = "", ...rest] = parts;
  const own = targetsOf(tree, { ...use, name: first, receiver: null });
  if (own.length) {
    const isLocal = own.every(({ definition }) => definition.path === use.path);
    return into(scope, { definitions: own.map((target) => target.definition), isLocal }, rest);
  }
  const module =
    family === "rust" && moduleOf(tree, family, use.path, { specifier: parts.join("::"), line: use.line });
  if (module) return { module, definitions: [], isLocal: false };
  // Custom: a type has a capital, and one that is in scope was found above.
  return /^\p{Lu}|^(crate|std|core|alloc)$/u.test(first) ? "outside" : undefined;
}

/** From a module or a class on into what the next words name in it. */
function into(scope: Scope, start: Holder, parts: readonly string[]): Holder | undefined {
  const { tree, family } = scope;
  let holder: Holder = start;
  for (const part of parts) {
    const found = holder.module && findExport(tree, family, holder.module, part);
    const definitions = found?.definitions ?? inside(tree, holder.definitions, part);
    if (!definitions.length && !found?.module) return undefined;
    holder = { module: found?.module, definitions, isLocal: holder.isLocal };
  }
  return holder;
}

const inside = (tree: Tree, owners: readonly Located[], name: string): Located[] =>
  owners.flatMap((owner) =>
    tree.symbols(owner.path, name).filter(({ container }) => container === qualified(owner)),
  );

/** @returns `undefined` when the receiver is a value, whose type is not known */
function membersOf(scope: Scope, holder: Holder): Target[] | undefined {
  const { tree, family, use } = scope;
  if (holder.module) {
    const found = findExport(tree, family, holder.module, use.name);
    return targets(found?.definitions ?? [], "imported");
  }
  const found = holder.definitions.flatMap((owner) => membersOfClass(scope, owner, MAX_BASES));
  if (found.length) return targets(found, holder.isLocal ? "exact" : "imported");
  if (!holder.definitions.every(({ kind }) => kind === "variable")) return [];
  const [variable] = holder.definitions;
  const type = variable && declaredType(family, variable.name, ` ${variable.signature}\n`);
  if (!variable || type === undefined) return undefined;
  // As the file that has it understands the type.
  const there = { ...use, path: variable.path, line: variable.startLine, enclosing: variable.container };
  return membersOfType({ ...scope, use: there }, type);
}

/** Of a class, or else of those it extends. */
function membersOfClass(scope: Scope, owner: Located, depth: number): Located[] {
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

const baseOf = ({ tree }: Scope, owner: Located, { name, receiver, line }: BaseName): Located[] =>
  targetsOf(tree, { path: owner.path, name, receiver, line, enclosing: owner.container })
    .filter(({ confidence }) => confidence !== "name")
    .map(({ definition }) => definition);

/** `this.total()`: of the class around the use, or of one it extends. */
function ownMembers(scope: Scope, first?: string): Target[] {
  const { tree, use } = scope;
  const around = (use.enclosing ?? "").split(".");
  for (let count = around.length; count > 0; count--) {
    const [name = "", container] = [around[count - 1], around.slice(0, count - 1).join(".") || null];
    for (const owner of ownersNamed(scope, name, container)) {
      const found = /^super/.test(first ?? "")
        ? tree
            .bases(owner.path, qualified(owner))
            .flatMap((base) => baseOf(scope, owner, base))
            .flatMap((one) => membersOfClass(scope, one, MAX_BASES))
        : membersOfClass(scope, owner, MAX_BASES);
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

/** Classes of this name around the use: of its file, or where the language lets methods stand apart, of its package. */
function ownersNamed(scope: Scope, name: string, container: string | null): Located[] {
  const { tree, family, use } = scope;
  const isOwner = (symbol: Located) =>
    symbol.container === container && /^(class|interface|enum|type|variable)$/.test(symbol.kind);
  const own = tree.symbols(use.path, name).filter(isOwner);
  if (own.length || (family !== "go" && family !== "rust")) return own;
  return apart(scope, use.path, name).filter(isOwner);
}

/** `s` inside `func (s *Server) Run()`. */
function isGoReceiver({ tree, family, use }: Scope, receiver: string): boolean {
  if (family !== "go" || use.enclosing === null || !/^\w+$/.test(receiver)) return false;
  const name = use.enclosing.slice(use.enclosing.lastIndexOf(".") + 1);
  return tree
    .symbols(use.path, name)
    .some(
      (symbol) => qualified(symbol) === use.enclosing && symbol.signature.startsWith(`func (${receiver} `),
    );
}

/** A variable: what it is declared as, or else one of the classes that have such a member. */
function variableMember(scope: Scope): Target[] {
  const { tree, family, use } = scope;
  const receiver = use.receiver ?? "";
  const type = typeOf(scope, receiver.split(SEPARATOR));
  const ofType = type === undefined ? undefined : membersOfType(scope, type);
  if (ofType) return ofType;
  if (/^["'`[{(\d]/.test(receiver)) return [];
  const members = tree
    .named(use.name)
    .filter((symbol) => familyOf(symbol.path) === family && isMember(tree, symbol));
  const known = members.filter((one) => isKnownHere(scope, one));
  const possible = known.length ? known : members;
  return possible.length <= MAX_SAME_NAME ? targets(possible, "name") : [];
}

/** @returns `undefined` when the type is not known; no targets when it is, and is not of the workspace or has no such member */
function membersOfType(scope: Scope, type: string): Target[] | undefined {
  const holder = holderOf(scope, type.split(SEPARATOR));
  if (holder === "outside") return [];
  const owners = (holder?.definitions ?? []).filter(({ kind }) => /^(class|interface|enum|type)$/.test(kind));
  if (!owners.length) return undefined;
  return targets(
    owners.flatMap((owner) => membersOfClass(scope, owner, MAX_BASES)),
    "imported",
  );
}

/** @param parts a variable, or a field of `this` */
function typeOf(scope: Scope, parts: readonly string[]): string | undefined {
  const { tree, family, use } = scope;
  const [first = "", second] = parts;
  if (parts.length > 2 || !parts.every((part) => WORD.test(part))) return undefined;
  const isOwn = second !== undefined && (SELF.test(first) || isGoReceiver(scope, first));
  if (second !== undefined && !isOwn) return undefined;
  const field = isOwn || family === "java" ? ownField(scope, second ?? first) : undefined;
  const ofField = field && declaredType(family, field.name, ` ${field.signature}\n`);
  if (isOwn) return ofField ?? declaredType(family, second, tree.text(use.path));
  const near = linesOf(tree, use.path).slice(startOfEnclosing(scope) - 1, use.line);
  return (
    declaredType(family, first, near.slice(-MAX_LINES).join("\n")) ??
    ofField ??
    declaredType(family, first, margin(tree, use.path))
  );
}

/** How far above its use a variable's declaration is looked for, unless it stands at the margin. */
const MAX_LINES = 200;
const WORD = /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u;
const SELF = /^(this|self|cls)$/;

const linesOf = (tree: Tree, path: string): readonly string[] =>
  tree.once(`lines ${path}`, () => tree.text(path).split("\n"));

/** What stands at the margin is seen by the whole file. */
const margin = (tree: Tree, path: string): string =>
  tree.once(`margin ${path}`, () =>
    linesOf(tree, path)
      .filter((line) => /^[^\s}\])]/.test(line))
      .join("\n"),
  );

/** The line where the outermost definition around the use begins that is no class; the first one at the top level. */
function startOfEnclosing({ tree, use }: Scope): number {
  const parts = (use.enclosing ?? "").split(".");
  for (let count = 1; count <= parts.length; count++) {
    const around = parts.slice(0, count).join(".");
    const found = tree
      .symbols(use.path, parts[count - 1] ?? "")
      .find(
        (symbol) =>
          qualified(symbol) === around &&
          /^(function|method|variable)$/.test(symbol.kind) &&
          symbol.startLine <= use.line &&
          use.line <= symbol.endLine,
      );
    if (found) return found.startLine;
  }
  return 1;
}

function ownField(scope: Scope, name: string): Located | undefined {
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

/** A method, or what JavaScript assigns: `app.start = function …`. What a function defines inside itself is none. */
function isMember(tree: Tree, { path, container, kind }: Located): boolean {
  if (container === null || kind === "variable") return false;
  const owner = container.slice(container.lastIndexOf(".") + 1);
  return kind === "method" || !tree.symbols(path, owner).some((one) => /^(function|method)$/.test(one.kind));
}

/** Whether the file names the class that the definition is a member of. */
function isKnownHere(scope: Scope, { path, container }: Located): boolean {
  const owner = container ?? "";
  const name = owner.slice(owner.lastIndexOf(".") + 1);
  return targetsOf(scope.tree, { ...scope.use, name, receiver: null }).some(
    ({ definition }) => definition.path === path,
  );
}
