/** What a module has under a name: a definition of its own, one it passes on from elsewhere, or a module inside it. */
import type { ImportedName } from "@dhi/core/chunk";
import { type Family, resolverOf } from "./resolve/languages.ts";
import type { Module } from "./resolve/resolver.ts";
import { type Located, qualified, type Tree } from "./tree.ts";

export interface Found {
  readonly definitions: readonly Located[];
  /** When the name is that of a module, and of nothing defined. */
  readonly module?: Module | undefined;
  /** It came through another file's import. */
  readonly passedOn: boolean;
}

/** How many files a name may be passed on through. */
const MAX_DEPTH = 6;

/** @returns `undefined` when the module has no such name */
export function findExport(tree: Tree, family: Family, module: Module, name: string): Found | undefined {
  const key = `export ${name} ${module.owner ?? ""} ${module.folder ?? ""} ${module.files.join(" ")}`;
  return tree.once(key, () => ({ found: find({ tree, family, seen: new Set() }, module, name, 0) })).found;
}

/** @returns `undefined` when it leads out of the workspace */
export function moduleOf(
  tree: Tree,
  family: Family,
  from: string,
  { specifier, line }: Pick<ImportedName, "specifier" | "line">,
): Module | undefined {
  if (specifier === "") return { files: [from] };
  return resolverOf(family).module(tree, { from, specifier, line });
}

interface Search {
  readonly tree: Tree;
  readonly family: Family;
  /** File and name: two files may pass a name on to each other. */
  readonly seen: Set<string>;
}

function find(search: Search, module: Module, name: string, depth: number): Found | undefined {
  const { tree, family, seen } = search;
  const fresh = module.files.filter((file) => !seen.has(`${name} ${file}`));
  for (const file of fresh) seen.add(`${name} ${file}`);
  const passed = depth > 0;
  const definitions = fresh.flatMap((file) => tree.symbols(file, name).filter(isVisible(module)));
  const inner = resolverOf(family).submodule?.(tree, module, name);
  // Rust's `mod tax;` defines a name that stands for another file.
  const isDeclared = definitions.every(({ kind }) => kind === "module");
  if (definitions.length && !(isDeclared && inner)) return { definitions, passedOn: passed };
  for (const file of depth < MAX_DEPTH && module.owner === undefined && !definitions.length ? fresh : []) {
    const found = passedOn(search, file, name, depth);
    if (found) return found;
  }
  if (!inner) return undefined;
  const owners = inner.files.flatMap((file) =>
    tree.symbols(file, name).filter((symbol) => qualified(symbol) === inner.owner),
  );
  return { definitions: owners, module: owners.length ? undefined : inner, passedOn: passed };
}

const isVisible =
  ({ owner }: Module) =>
  (symbol: Located): boolean =>
    owner === undefined
      ? symbol.container === null
      : symbol.container === owner || qualified(symbol) === owner;

function passedOn(search: Search, file: string, name: string, depth: number): Found | undefined {
  const { tree, family } = search;
  const visible = tree.imports(file).filter((one) => one.exported || resolverOf(family).importsAreVisible);
  const isAll = (one: ImportedName) => one.name === "*" && one.local === "";
  // By its name first: a wildcard has whatever is not named.
  for (const one of [...visible.filter((v) => v.local === name), ...visible.filter(isAll)]) {
    const module = moduleOf(tree, family, file, one);
    if (!module) continue;
    if (!isAll(one) && (one.name === "" || one.name === "*"))
      return { definitions: [], module, passedOn: true };
    // An export of the file's own under another name is no step.
    const next = one.specifier === "" ? depth : depth + 1;
    const found = find(search, module, isAll(one) ? name : one.name, next);
    if (found) return found;
  }
  return undefined;
}
