/** Cargo packages of the workspace: which crate a name means, and where its root file is. */
import type { Tree } from "../tree.ts";
import { expand, folderOf, join, nearest, upwards, within } from "./paths.ts";

export interface Crate {
  /** As code names it: `-` is `_`. */
  readonly name: string;
  readonly folder: string;
  /** `src/lib.rs`, or what `[lib] path` says; for a program `src/main.rs`. */
  readonly root: string;
}

/** @returns the package that the file belongs to */
export function ownCrate(tree: Tree, from: string): Crate | undefined {
  const manifest = nearest(tree, folderOf(from), "Cargo.toml");
  return manifest === undefined ? undefined : readCrate(tree, folderOf(manifest));
}

/** @returns a package of this name that the file may depend on: its own, one by path, one of the workspace */
export function crateNamed(tree: Tree, from: string, name: string): Crate | undefined {
  const own = ownCrate(tree, from);
  if (own?.name === name) return own;
  const folders = own ? [own.folder, ...upwards(own.folder)] : upwards(folderOf(from));
  for (const folder of folders) {
    const crates = tree.once(`crates ${folder}`, () => cratesOf(tree, folder));
    const found = crates.get(name);
    if (found) return found;
  }
  return undefined;
}

function cratesOf(tree: Tree, folder: string): Map<string, Crate> {
  const text = manifestText(tree, folder);
  const members = /^\s*members\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1] ?? "";
  const patterns = [...members.matchAll(/"([^"]+)"/g)].map(([, pattern = ""]) => pattern);
  const crates = new Map<string, Crate>();
  const add = (place: string | undefined, name?: string) => {
    const crate = place === undefined ? undefined : readCrate(tree, place);
    if (crate && !crates.has(name ?? crate.name)) crates.set(name ?? crate.name, crate);
  };
  for (const { name, path } of pathDependencies(text)) add(join(folder, path), asCode(name));
  for (const pattern of patterns) for (const place of expand(tree, folder, pattern)) add(place);
  return crates;
}

/** `a = { path = "../a" }`, and the table `[dependencies.a]` with a path of its own. */
function pathDependencies(text: string): { name: string; path: string }[] {
  const inline = text.matchAll(/^\s*([\w-]+)\s*=\s*\{[^}\n]*\bpath\s*=\s*"([^"]+)"/gm);
  const tables = text.matchAll(/^\[[\w.-]*dependencies\.([\w-]+)\][^[]*?^\s*path\s*=\s*"([^"]+)"/gm);
  return [...inline, ...tables].map(([, name = "", path = ""]) => ({ name, path }));
}

function readCrate(tree: Tree, folder: string): Crate | undefined {
  const text = manifestText(tree, folder);
  const name = inSection(text, "package", "name");
  if (name === undefined) return undefined;
  const roots = [inSection(text, "lib", "path") ?? "src/lib.rs", "src/main.rs"].map((p) => within(folder, p));
  const root = roots.find(tree.has);
  return root === undefined
    ? undefined
    : { name: asCode(inSection(text, "lib", "name") ?? name), folder, root };
}

function inSection(text: string, section: string, key: string): string | undefined {
  const body = new RegExp(`^\\[${section}\\]([^[]*)`, "m").exec(text)?.[1] ?? "";
  return new RegExp(`^\\s*${key}\\s*=\\s*"([^"]+)"`, "m").exec(body)?.[1];
}

const manifestText = (tree: Tree, folder: string) =>
  tree.text(within(folder, "Cargo.toml")).replace(/#.*$/gm, "");

const asCode = (name: string) => name.replaceAll("-", "_");
