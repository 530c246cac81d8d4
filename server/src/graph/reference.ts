/** Where a use of a name leads, and how sure that is. */
import { ownMembers } from "./class-members.ts";
import { findExport, moduleOf } from "./exports.ts";
import { member } from "./receiver.ts";
import { familyOf } from "./resolve/languages.ts";
import { binds, ofPackage, type Scope, type Target, targets, type Use } from "./scope.ts";
import type { Located, Tree } from "./tree.ts";

/** @returns no targets for what leads out of the workspace */
export function targetsOf(tree: Tree, use: Use): readonly Target[] {
  const family = familyOf(use.path);
  if (!family) return [];
  const { path, name, receiver, enclosing, line } = use;
  const scope: Scope = { tree, family, use, resolve: (other) => targetsOf(tree, other) };
  return tree.once<readonly Target[]>(
    // A variable is another one further down.
    `targets ${name} ${enclosing} ${receiver === null ? "" : `${receiver} ${line}`} ${path}`,
    () => (receiver === null ? plain(scope) : member(scope, receiver)),
    [],
  );
}

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
