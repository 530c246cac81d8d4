/** TypeScript, JavaScript and the components that hold them. */
import type { Tree } from "../tree.ts";
import { entriesOf, internalImport, packageFolder } from "./package-json.ts";
import { folderOf, join } from "./paths.ts";
import type { Asked, Module, Resolver } from "./resolver.ts";
import { mappedPaths, splitPackage } from "./tsconfig.ts";

export const ecmascript: Resolver = {
  module(tree, asked) {
    const { from, specifier } = asked;
    const path = tree.once(`module ${specifier} ${folderOf(from)}`, () => ({ path: find(tree, asked) })).path;
    return path === undefined ? undefined : fileModule(path);
  },
};

const fileModule = (path: string): Module => ({ files: [path] });

function find(tree: Tree, { from, specifier }: Asked): string | undefined {
  // Bundlers allow `./icon.svg?raw`.
  const bare = specifier.replace(/[?].*$/, "");
  if (/^\.{0,2}(\/|$)/.test(bare)) return fileAt(tree, join(folderOf(from), bare));
  const first = (places: readonly string[]) => {
    for (const place of places) {
      const path = fileAt(tree, place);
      if (path !== undefined) return path;
    }
    return undefined;
  };
  if (bare.startsWith("#")) {
    const path = first(internalImport(tree, from, bare));
    if (path !== undefined) return path;
  }
  const mapped = first(mappedPaths(tree, from, bare));
  if (mapped !== undefined || bare.startsWith("node:")) return mapped;
  const { name, subpath } = splitPackage(bare);
  const folder = packageFolder(tree, from, name);
  return folder === undefined ? undefined : first(entriesOf(tree, folder, subpath));
}

const EXTENSIONS = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte"];

/** What TypeScript means by an import of what it will have compiled. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

function fileAt(tree: Tree, place: string | undefined): string | undefined {
  if (place === undefined) return undefined;
  const extension = /\.[cm]?jsx?$/.exec(place)?.[0] ?? "";
  const stem = place.slice(0, place.length - extension.length);
  const sources = (SOURCES[extension] ?? []).map((other) => stem + other);
  const found = [...sources, place, ...EXTENSIONS.map((end) => place + end)].find(tree.has);
  if (found !== undefined) return found;
  const inside = EXTENSIONS.map((end) => join(place, `index${end}`) ?? "").find(tree.has);
  if (inside !== undefined) return inside;
  // A folder with a manifest of its own: `require("..")`.
  if (!tree.has(join(place, "package.json") ?? "")) return undefined;
  for (const entry of entriesOf(tree, place, "."))
    for (const path of [entry, ...EXTENSIONS.map((end) => entry + end)]) if (tree.has(path)) return path;
  return undefined;
}
