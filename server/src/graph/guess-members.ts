/** Members of an expression of which only the text is known, in any language: those that tree-sitter saw in the class that it names. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { baseOf } from "./class-members.ts";
import { readExpression } from "./expression.ts";
import type { Member, Members, Place } from "./members.ts";
import { declaredType } from "./receiver-type.ts";
import { targetsOf } from "./reference.ts";
import { familyOf } from "./resolve/languages.ts";
import { folderOf } from "./resolve/paths.ts";
import { SEPARATOR, type Use } from "./scope.ts";
import { type Located, qualified, type Tree, treeOf } from "./tree.ts";

/** @returns `undefined` when no class is named */
export function guessMembers(db: IndexDb, place: Place): Members | undefined {
  const tree = treeOf(db);
  const type = typeNamed(db, tree, place);
  const owner = type === undefined ? undefined : classOf(tree, place, type);
  if (!owner) return undefined;
  const members = definedMembers(tree, owner).map(
    ({ name, kind, signature }): Member => ({ name, kind, signature }),
  );
  return { type: owner.name, from: "symbols", members };
}

/** Where the members are defined of what stands before a dot; empty when its class is not known. */
export function memberDefinitions(db: IndexDb, place: Place, type?: string): Located[] {
  const tree = treeOf(db);
  const name = type ?? typeNamed(db, tree, place);
  const owner = name === undefined ? undefined : classOf(tree, place, name);
  return owner ? definedMembers(tree, owner) : [];
}

/** Of a class and those it extends; what it redefines hides what it inherits. */
export function definedMembers(tree: Tree, owner: Located): Located[] {
  const members = new Map<string, Located>();
  for (const one of withBases(tree, owner))
    for (const member of membersIn(tree, one))
      if (!members.has(member.name)) members.set(member.name, member);
  return [...members.values()];
}

/** As it is written: `Invoice`, `shop.Invoice`. */
function typeNamed(db: IndexDb, tree: Tree, { path, expression, line }: Place): string | undefined {
  const { root, steps } = readExpression(expression) ?? {};
  if (root?.kind !== "name") return undefined;
  const last = steps?.at(-1);
  if (last?.kind === "new") {
    const names = (steps ?? []).flatMap((step) => (step.kind === "member" ? step.name : []));
    return names.length + 1 === steps?.length ? [root.name, ...names].join(".") : undefined;
  }
  if (last) return undefined;
  if (root.name === "this" || root.name === "self") return classAround(db, path, line);
  const family = familyOf(path);
  return family && declaredType(family, root.name, tree.text(path).split("\n", line).join("\n"));
}

/** By the innermost class around the line or, since its methods may stand apart from it, by their container. */
function classAround(db: IndexDb, path: string, line: number): string | undefined {
  const around = prepared<[string, number, number], { name: string; kind: string; container: string | null }>(
    db,
    `SELECT name, kind, container FROM live JOIN symbols USING (blob_id)
      WHERE path = ? AND (kind = 'class' OR kind = 'method' AND container IS NOT NULL)
      AND start_line <= ? AND end_line >= ? ORDER BY start_line DESC, ordinal DESC`,
  ).get(path, line, line);
  return around?.kind === "class" ? around.name : (around?.container?.split(".").at(-1) ?? undefined);
}

const CLASS = /^(class|interface|enum|type|module)$/;

/** The one in scope; of a name that nothing brings into scope, any: two classes of one name are rarely both meant. */
function classOf(tree: Tree, { path, line }: Place, type: string): Located | undefined {
  const words = type.split(SEPARATOR);
  const name = words.at(-1) ?? "";
  const receiver = words.length > 1 ? type.slice(0, -name.length).replace(/(::|\.)$/, "") : null;
  const isClass = ({ kind }: Located) => CLASS.test(kind);
  const inScope = definitionsOf(tree, { path, name, line, enclosing: null, receiver }).find(isClass);
  if (inScope) return inScope;
  const own = tree.symbols(path, name).find(isClass);
  if (own || tree.imports(path).some(({ local }) => local === words[0])) return own;
  const family = familyOf(path);
  return tree.named(name).find((symbol) => isClass(symbol) && familyOf(symbol.path) === family);
}

/** Where the use leads for sure. */
const definitionsOf = (tree: Tree, use: Use): Located[] =>
  targetsOf(tree, use)
    .filter(({ confidence }) => confidence !== "name")
    .map(({ definition }) => definition);

/** A class and what it extends, each once, itself first. */
export function withBases(tree: Tree, owner: Located): Located[] {
  const found = new Set([owner]);
  const resolve = (use: Use) => targetsOf(tree, use);
  // What is added on the way is visited too.
  for (const one of found)
    for (const base of tree.bases(one.path, qualified(one)))
      for (const definition of found.size < MAX_BASES ? baseOf({ resolve }, one, base) : [])
        if (CLASS.test(definition.kind)) found.add(definition);
  return [...found];
}

const MAX_BASES = 20;

/** Without constructors. */
function membersIn(tree: Tree, owner: Located): Located[] {
  return filesOf(tree, owner.path)
    .flatMap((path) => tree.inside(path, qualified(owner)))
    .filter(({ name, kind }) => kind !== "method" || (name !== owner.name && name !== "constructor"));
}

/** Go's methods and Rust's `impl` blocks may stand in the files beside their type's. */
function filesOf(tree: Tree, path: string): string[] {
  const family = familyOf(path);
  if (family !== "go" && family !== "rust") return [path];
  const beside = tree.entries(folderOf(path)).files.filter((one) => one !== path && familyOf(one) === family);
  return [path, ...beside];
}
