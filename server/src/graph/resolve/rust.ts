/** Rust: `crate`, `self`, `super`, `mod` files, inline modules, crates of the workspace and what `pub use` passes on. */
import { qualified, type Tree } from "../tree.ts";
import { crateNamed, ownCrate } from "./cargo.ts";
import { fileName, folderOf, within } from "./paths.ts";
import type { Asked, Module, Resolver } from "./resolver.ts";

export const rust: Resolver = {
  importsAreVisible: true,
  module: (tree, asked) => modulePath(tree, asked, MAX_DEPTH),
  submodule: (tree, module, name) => step(tree, module, name, MAX_DEPTH),
};

/** How many `use` a path may go through. */
const MAX_DEPTH = 5;

function modulePath(tree: Tree, { from, line, specifier }: Asked, depth: number): Module | undefined {
  const parts = specifier.split("::");
  let module: Module | undefined = { files: [from] };
  let inline = inlineDepth(tree, from, line);
  let first = true;
  for (const part of parts) {
    if (!module) return undefined;
    if (first && part === "crate") module = fileModule(crateRoot(tree, from));
    else if (part === "self") module = { files: module.files };
    else if (part === "super") {
      // Inside `mod tests { … }` the first one leads to the file itself.
      if (inline > 0) inline--;
      else module = parentOf(tree, module);
    } else {
      const next = step(tree, module, part, depth);
      module = next ?? (first ? fileModule(crateNamed(tree, from, part)?.root) : undefined);
    }
    first = false;
  }
  return module;
}

const fileModule = (path: string | undefined): Module | undefined =>
  path === undefined ? undefined : { files: [path] };

/** From a module into what it calls by this name. */
function step(tree: Tree, module: Module, name: string, depth: number): Module | undefined {
  const [file] = module.files;
  if (file === undefined) return undefined;
  const folder = submodules(tree, file);
  const path = [within(folder, `${name}.rs`), within(within(folder, name), "mod.rs")].find(tree.has);
  if (path !== undefined) return { files: [path] };
  const own = tree.symbols(file, name).find(({ kind }) => /^(module|enum|class|interface|type)$/.test(kind));
  if (own) return { files: [file], owner: qualified(own) };
  if (depth === 0) return undefined;
  for (const { specifier, name: original, local, line } of tree.imports(file)) {
    if (local !== name || specifier.startsWith(`self::${name}`)) continue;
    const source = modulePath(tree, { from: file, line, specifier }, depth - 1);
    const target = source && original !== "" ? step(tree, source, original, depth - 1) : source;
    if (target) return target;
  }
  return undefined;
}

/** The folder of a file's submodules. */
function submodules(tree: Tree, file: string): string {
  const isRoot = fileName(file) === "mod.rs" || crateRoot(tree, file) === file;
  return isRoot ? folderOf(file) : file.replace(/\.rs$/, "");
}

function parentOf(tree: Tree, { files: [file] }: Module): Module | undefined {
  if (file === undefined) return undefined;
  const folder = fileName(file) === "mod.rs" ? folderOf(folderOf(file)) : folderOf(file);
  return fileModule(
    ["mod.rs", "lib.rs", "main.rs"]
      .map((name) => within(folder, name))
      .concat(`${folder}.rs`)
      .find((path) => path !== file && tree.has(path)),
  );
}

/** Programs, tests, examples and benchmarks are crates of their own, of one file or of a folder with `main.rs`. */
function crateRoot(tree: Tree, file: string): string | undefined {
  return tree.once(`crate root ${file}`, () => ({ root: findRoot(tree, file) })).root;
}

function findRoot(tree: Tree, file: string): string | undefined {
  const crate = ownCrate(tree, file);
  const prefix = crate === undefined || crate.folder === "" ? "" : `${crate.folder}/`;
  const inside = file.slice(prefix.length);
  const alone = /^(?:src\/bin|tests|examples|benches)\/([^/]+)/.exec(inside)?.[0];
  if (alone?.endsWith(".rs")) return file;
  if (alone !== undefined && tree.has(`${prefix}${alone}/main.rs`)) return `${prefix}${alone}/main.rs`;
  const main = `${prefix}src/main.rs`;
  return file === main ? main : crate?.root;
}

/** How many inline modules are around the line. */
function inlineDepth(tree: Tree, file: string, line: number): number {
  return tree
    .modulesIn(file)
    .filter(({ startLine, endLine }) => startLine <= line && line <= endLine && startLine < endLine).length;
}
