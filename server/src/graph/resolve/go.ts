/** Go: the module path of go.mod, `replace` by a folder, go.work. A package is a folder. */
import type { Tree } from "../tree.ts";
import { folderOf, join, nearest, upwards, within } from "./paths.ts";
import type { Module, Resolver } from "./resolver.ts";

export const go: Resolver = {
  module(tree, { from, specifier }) {
    return tree.once(`package ${specifier} ${folderOf(from)}`, () => ({ found: find(tree, from, specifier) }))
      .found;
  },
  isSamePackage,
  packageFiles: (tree, from) =>
    tree.entries(folderOf(from)).files.filter((path) => path.endsWith(".go") && isSamePackage(from, path)),
};

function isSamePackage(from: string, other: string): boolean {
  return folderOf(from) === folderOf(other) && (!other.endsWith("_test.go") || from.endsWith("_test.go"));
}

interface GoModule {
  readonly path: string;
  readonly folder: string;
}

function find(tree: Tree, from: string, specifier: string): Module | undefined {
  const owners = modulesSeenBy(tree, from)
    .filter(({ path }) => specifier === path || specifier.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length);
  for (const { path, folder } of owners) {
    const place = join(folder, specifier.slice(path.length + 1));
    const files =
      place === undefined
        ? []
        : tree.entries(place).files.filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
    if (files.length) return { files };
  }
  return undefined;
}

function modulesSeenBy(tree: Tree, from: string): GoModule[] {
  const manifest = nearest(tree, folderOf(from), "go.mod");
  const own = manifest === undefined ? [] : tree.once(`go.mod ${manifest}`, () => readModule(tree, manifest));
  return [...own, ...upwards(folderOf(from)).flatMap((folder) => workModules(tree, folder))];
}

/** A module and those it replaces by a folder of the tree. */
function readModule(tree: Tree, manifest: string): GoModule[] {
  const folder = folderOf(manifest);
  const text = tree.text(manifest).replace(/\/\/.*$/gm, "");
  const path = /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1];
  const replaced = [
    ...text.matchAll(/^\s*(?:replace\s+)?(\S+)(?:[ \t]+v\S+)?[ \t]+=>[ \t]+(\.{1,2}\/?\S*)/gm),
  ];
  return [
    ...(path === undefined ? [] : [{ path, folder }]),
    ...replaced.flatMap(([, name = "", place = ""]) => {
      const target = join(folder, place);
      return target === undefined ? [] : [{ path: name, folder: target }];
    }),
  ];
}

function workModules(tree: Tree, folder: string): GoModule[] {
  const path = within(folder, "go.work");
  if (!tree.has(path)) return [];
  return tree.once(`go.work ${path}`, () => {
    const text = tree.text(path).replace(/\/\/.*$/gm, "");
    const lists = [...text.matchAll(/^use\s+(?:\(([^)]*)\)|(\S+))/gm)];
    const places = lists.flatMap(([, list, one]) => (list ?? one ?? "").split(/\s+/).filter(Boolean));
    return places.flatMap((place) => {
      const target = join(folder, place);
      return target === undefined ? [] : readModule(tree, within(target, "go.mod"));
    });
  });
}
