/** What the words of a receiver or a type lead to: a module, a class, a variable; and what that has as members. */
import { membersOfClass } from "./class-members.ts";
import { findExport, moduleOf } from "./exports.ts";
import { declaredType } from "./receiver-type.ts";
import type { Module } from "./resolve/resolver.ts";
import { binds, inside, type Scope, SEPARATOR, type Target, targets, WORD } from "./scope.ts";
import type { Located } from "./tree.ts";

/** What a receiver's words lead to. */
export interface Holder {
  readonly module?: Module | undefined;
  readonly definitions: readonly Located[];
  readonly isLocal: boolean;
}

/** @returns `"outside"` for what is imported from elsewhere; `undefined` for a variable */
export function holderOf(scope: Scope, parts: readonly string[]): Holder | "outside" | undefined {
  const { tree, family, use, resolve } = scope;
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
  const own = resolve({ ...use, name: first, receiver: null });
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

/** @returns `undefined` when the receiver is a value, whose type is not known */
export function membersOf(scope: Scope, holder: Holder): Target[] | undefined {
  const { tree, family, use } = scope;
  if (holder.module) {
    const found = findExport(tree, family, holder.module, use.name);
    return targets(found?.definitions ?? [], "imported");
  }
  const found = holder.definitions.flatMap((owner) => membersOfClass(scope, owner));
  if (found.length) return targets(found, holder.isLocal ? "exact" : "imported");
  if (!holder.definitions.every(({ kind }) => kind === "variable")) return [];
  const [variable] = holder.definitions;
  const type = variable && declaredType(family, variable.name, ` ${variable.signature}\n`);
  if (!variable || type === undefined) return undefined;
  // As the file that has it understands the type.
  const there = { ...use, path: variable.path, line: variable.startLine, enclosing: variable.container };
  return membersOfType({ ...scope, use: there }, type);
}

/** @returns `undefined` when the type is not known; no targets when it is, and is not of the workspace or has no such member */
export function membersOfType(scope: Scope, type: string): Target[] | undefined {
  const holder = holderOf(scope, type.split(SEPARATOR));
  if (holder === "outside") return [];
  const owners = (holder?.definitions ?? []).filter(({ kind }) => /^(class|interface|enum|type)$/.test(kind));
  if (!owners.length) return undefined;
  return targets(
    owners.flatMap((owner) => membersOfClass(scope, owner)),
    "imported",
  );
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
