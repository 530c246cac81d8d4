/** Java: a class lies under some source root in the folder of its package. */
import type { Located, Tree } from "../tree.ts";
import { fileName, folderOf, upwards, within } from "./paths.ts";
import type { Module, Resolver } from "./resolver.ts";

export const java: Resolver = {
  module(tree, { from, specifier }) {
    return tree.once(`class ${specifier} ${folderOf(from)}`, () => ({
      found: ofClass(tree, from, specifier) ?? ofPackage(tree, from, specifier),
    })).found;
  },
  submodule: (tree, { folder }, name) => {
    const path = folder === undefined ? undefined : within(folder, `${name}.java`);
    return path !== undefined && tree.has(path) ? { files: [path], owner: name } : undefined;
  },
  packageFiles: (tree, from, name) => placesOf(within(folderOf(from), `${name}.java`)).filter(tree.has),
  isSamePackage: (from, other) =>
    other.endsWith(".java") && placesOf(folderOf(from)).includes(folderOf(other)),
};

/** `a.b.Outer.Inner` lies in `a/b/Outer.java`. */
function ofClass(tree: Tree, from: string, specifier: string): Module | undefined {
  const parts = specifier.split(".");
  for (let count = parts.length; count > 0; count--) {
    const name = parts[count - 1] ?? "";
    const place = `${parts.slice(0, count).join("/")}.java`;
    const path = underRoots(from, place).find(tree.has) ?? elsewhere(tree.named(name), place);
    if (path !== undefined) return { files: [path], owner: parts.slice(count - 1).join(".") };
  }
  return undefined;
}

function ofPackage(tree: Tree, from: string, specifier: string): Module | undefined {
  const place = specifier.replaceAll(".", "/");
  for (const folder of underRoots(from, place)) {
    if (tree.entries(folder).files.some((path) => path.endsWith(".java"))) return { files: [], folder };
  }
  return undefined;
}

/** Every folder around the file may be its source root; tests see the sources beside them. */
const underRoots = (from: string, place: string): string[] =>
  upwards(folderOf(from)).flatMap((folder) => placesOf(within(folder, place)));

/** `src/test/java/…` and `src/main/java/…` hold the same packages. */
const placesOf = (place: string): string[] => [place, place.replace(/(^|\/)src\/test\//, "$1src/main/")];

/** Another module of the build. */
function elsewhere(namesakes: readonly Located[], place: string): string | undefined {
  return namesakes.find(({ path }) => path.endsWith(`/${place}`) && fileName(path) === fileName(place))?.path;
}
