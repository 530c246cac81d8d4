/** Python: packages, namespace packages, relative imports, `src` layouts and several projects in one tree. */
import type { Tree } from "../tree.ts";
import { expand, fileName, folderOf, upwards, within } from "./paths.ts";
import type { Module, Resolver } from "./resolver.ts";

export const python: Resolver = {
  importsAreVisible: true,
  module(tree, { from, specifier }) {
    const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(specifier) ?? [];
    const parts = rest === "" ? [] : rest.split(".");
    if (dots === "") return absolute(tree, from, parts);
    const base = upwards(folderOf(from))[dots.length - 1];
    return base === undefined ? undefined : modulePath(tree, base, parts);
  },
  submodule: (tree, { folder }, name) =>
    folder === undefined ? undefined : modulePath(tree, folder, [name]),
};

/** Where projects keep their packages, from the folder that is put on `sys.path`. */
const LAYOUTS = ["", "src", "lib", "python"];

/** Where the projects of one repository lie. */
const PROJECTS = ["*", "packages/*", "libs/*", "apps/*", "services/*", "projects/*"];

function absolute(tree: Tree, from: string, parts: readonly string[]): Module | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const folder = folderOf(from);
  for (const root of rootsOf(tree, folder, first)) {
    const found = modulePath(tree, root, parts);
    if (found) return found;
  }
  return undefined;
}

/** Folders that may be on `sys.path` and have something of this name, the nearest first. */
function rootsOf(tree: Tree, folder: string, first: string): readonly string[] {
  return tree.once(`python ${first} ${folder}`, () =>
    roots(tree, folder).filter((root) => {
      const place = joined(root, first);
      return tree.hasFolder(place) || tree.has(`${place}.py`) || tree.has(`${place}.pyi`);
    }),
  );
}

/** Inside a package none is on `sys.path`: its siblings need a dot. */
function roots(tree: Tree, folder: string): readonly string[] {
  return tree.once(`python roots ${folder}`, () => {
    const projects = tree.once("python projects", () =>
      PROJECTS.flatMap((pattern) => expand(tree, "", pattern)).filter((one) => !isPackage(tree, one)),
    );
    const outside = upwards(folder).filter((one) => !isPackage(tree, one));
    const places = [...outside, ...projects].flatMap((one) => LAYOUTS.map((layout) => joined(one, layout)));
    return [...new Set(places)].filter((one) => one === "" || tree.hasFolder(one));
  });
}

const joined = (folder: string, inner: string) => (inner === "" ? folder : within(folder, inner));

const isPackage = (tree: Tree, folder: string) =>
  ["__init__.py", "__init__.pyi"].some((name) => tree.has(within(folder, name)));

/** A namespace package: no `__init__.py`, but modules or packages. */
const holdsPython = (tree: Tree, folder: string) => {
  const { files, folders } = tree.entries(folder);
  return files.some((path) => path.endsWith(".py")) || folders.some((one) => isPackage(tree, one));
};

function modulePath(tree: Tree, base: string, parts: readonly string[]): Module | undefined {
  const place = parts.reduce(within, base);
  const init = ["__init__.py", "__init__.pyi"].map((name) => within(place, name)).filter(tree.has);
  if (init.length) return { files: init, folder: place };
  // A stub says less than the module beside it.
  const files = [`${place}.py`, `${place}.pyi`].filter((path) => fileName(path) !== ".py" && tree.has(path));
  if (parts.length > 0 && files.length) return { files };
  return holdsPython(tree, place) ? { files: [], folder: place } : undefined;
}
