/** npm packages of the workspace: which folder a bare name means, and which file of it. */
import { z } from "zod";
import type { Tree } from "../tree.ts";
import { readJson } from "./json.ts";
import { expand, folderOf, join, nearest, upwards, within } from "./paths.ts";

const manifest = z.object({
  name: z.string().optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  module: z.string().optional().catch(undefined),
  types: z.string().optional().catch(undefined),
  typings: z.string().optional().catch(undefined),
  source: z.string().optional().catch(undefined),
  exports: z.unknown().optional(),
  imports: z.record(z.string(), z.unknown()).optional().catch(undefined),
  workspaces: z
    .union([z.array(z.string()), z.object({ packages: z.array(z.string()) }).transform((w) => w.packages)])
    .optional()
    .catch(undefined),
});
type Manifest = z.infer<typeof manifest>;

const read = (tree: Tree, folder: string): Manifest | undefined =>
  readJson(tree, within(folder, "package.json"), manifest);

/**
 * Places in the folder where the source of `./` or `./sub` of its package may be, best first and without extension when
 * unsure. What its manifest names is often built, and not in the tree.
 */
export function entriesOf(tree: Tree, folder: string, subpath: string): string[] {
  const { exports, source, types, typings, module, main } = read(tree, folder) ?? {};
  const exported = exports === undefined ? [] : targetsOf(exports, subpath);
  const named = subpath === "." ? [source, types, typings, module, main].filter((x) => x !== undefined) : [];
  const plain =
    subpath === "." ? ["src/index", "index", "lib/index", "src/main"] : [`src/${subpath}`, subpath];
  return [...exported, ...named]
    .flatMap((target) => [target, ...sourcesOf(target)])
    .concat(plain)
    .flatMap((target) => join(folder, target) ?? []);
}

/** `#money` of the nearest package that has it. */
export function internalImport(tree: Tree, from: string, specifier: string): string[] {
  const path = nearest(tree, folderOf(from), "package.json");
  const folder = path === undefined ? "" : folderOf(path);
  const { imports } = read(tree, folder) ?? {};
  return matching(imports ?? {}, specifier)
    .flatMap((target) => [target, ...sourcesOf(target)])
    .flatMap((target) => join(folder, target) ?? []);
}

/** @returns the folder of the package of this name that the file sees: its own, or one of its workspace */
export function packageFolder(tree: Tree, from: string, name: string): string | undefined {
  const around = upwards(folderOf(from));
  const own = around.find((folder) => read(tree, folder)?.name === name);
  if (own !== undefined) return own;
  for (const root of around) {
    const folder = tree.once(`packages ${root}`, () => workspacePackages(tree, root)).get(name);
    if (folder !== undefined) return folder;
  }
  return undefined;
}

function workspacePackages(tree: Tree, root: string): Map<string, string> {
  const patterns = [...(read(tree, root)?.workspaces ?? []), ...pnpmPackages(tree, root)];
  const packages = new Map<string, string>();
  for (const folder of patterns.flatMap((pattern) => expand(tree, root, pattern))) {
    const name = read(tree, folder)?.name;
    if (name !== undefined && !packages.has(name)) packages.set(name, folder);
  }
  return packages;
}

/** The list under `packages:`, which is all that matters of its YAML here. */
function pnpmPackages(tree: Tree, root: string): string[] {
  const text = tree.text(within(root, "pnpm-workspace.yaml"));
  const list = /^packages:\s*\n((?:[ \t]*(?:-.*|#.*)?\n?)+)/m.exec(text)?.[1] ?? "";
  return [...list.matchAll(/^[ \t]*-\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/gm)].map(
    ([, pattern = ""]) => pattern,
  );
}

/** @param exports the field of a manifest: a target, conditions, or a map of subpaths */
function targetsOf(exports: unknown, subpath: string): string[] {
  const key = subpath === "." ? "." : `./${subpath}`;
  const isMap = isObject(exports) && Object.keys(exports).some((k) => k.startsWith("."));
  if (isMap) return matching(exports, key);
  return subpath === "." ? stringsIn(exports) : [];
}

/** Targets of the entry that is the key, or of the longest pattern that matches it, its `*` filled in. */
function matching(entries: object, key: string): string[] {
  const exact = Object.entries(entries).find(([pattern]) => pattern === key);
  if (exact) return stringsIn(exact[1]);
  const patterns = Object.entries(entries)
    .filter(([pattern]) => pattern.includes("*"))
    .sort(([a], [b]) => b.indexOf("*") - a.indexOf("*"));
  for (const [pattern, target] of patterns) {
    const filled = wildcard(pattern, key);
    if (filled !== undefined) return stringsIn(target).map((one) => one.replaceAll("*", () => filled));
  }
  return [];
}

/** What `*` stands for; `undefined` when the pattern does not match. */
export function wildcard(pattern: string, text: string): string | undefined {
  const [before = "", after = ""] = pattern.split("*", 2);
  const fits = text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return fits ? text.slice(before.length, text.length - after.length) : undefined;
}

/** Conditions may nest, and whichever leads to a file of the tree will do. */
function stringsIn(target: unknown): string[] {
  if (typeof target === "string") return [target];
  if (Array.isArray(target)) return target.flatMap(stringsIn);
  return isObject(target) ? Object.values(target).flatMap(stringsIn) : [];
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** `./dist/esm/a.js` → `src/a`: where what was built comes from, by custom. */
function sourcesOf(target: string): string[] {
  const bare = target.replace(/^\.\//, "").replace(/(\.d)?\.[cm]?[jt]sx?$/, "");
  const inner = bare.replace(/^(?:(?:dist|lib|build|out|esm|cjs|es|types|typings)\/)+/, "");
  return inner === bare ? [bare] : [`src/${inner}`, inner];
}
