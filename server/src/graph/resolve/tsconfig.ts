/** `paths` and `baseUrl` of the tsconfig.json or jsconfig.json around a file. */
import { z } from "zod";
import type { Tree } from "../tree.ts";
import { readJson } from "./json.ts";
import { entriesOf, packageFolder, wildcard } from "./package-json.ts";
import { folderOf, join, upwards, within } from "./paths.ts";

const config = z.object({
  extends: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .optional()
    .catch(undefined),
  references: z
    .array(z.object({ path: z.string() }))
    .optional()
    .catch(undefined),
  compilerOptions: z
    .object({
      baseUrl: z.string().optional(),
      paths: z.record(z.string(), z.array(z.string())).optional(),
    })
    .optional()
    .catch(undefined),
});

interface Mapping {
  readonly baseUrl?: string | undefined;
  /** Pattern → places, relative to `pathsFrom`. */
  readonly paths?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly pathsFrom?: string | undefined;
}

/** How far `extends` and `references` are followed. */
const MAX_DEPTH = 5;

/** @returns places where a bare specifier may lie, without extension when it has none; the nearest config's first */
export function mappedPaths(tree: Tree, from: string, specifier: string): string[] {
  return upwards(folderOf(from)).flatMap((folder) =>
    ["tsconfig.json", "jsconfig.json"]
      .map((name) => within(folder, name))
      .filter(tree.has)
      .flatMap((path) => tree.once(`tsconfig ${path}`, () => mappingsOf(tree, path)))
      .flatMap((mapping) => apply(mapping, specifier)),
  );
}

function apply({ baseUrl, paths, pathsFrom }: Mapping, specifier: string): string[] {
  const best = Object.entries(paths ?? {})
    .map(([pattern, targets]) => ({ pattern, targets, filled: fill(pattern, specifier) }))
    .filter(({ filled }) => filled !== undefined)
    .sort((a, b) => literalLength(b.pattern) - literalLength(a.pattern))[0];
  const mapped = (best?.targets ?? []).flatMap(
    (target) =>
      join(
        pathsFrom ?? "",
        target.replace("*", () => best?.filled ?? ""),
      ) ?? [],
  );
  const based = baseUrl === undefined ? undefined : join(baseUrl, specifier);
  return based === undefined ? mapped : [...mapped, based];
}

const fill = (pattern: string, specifier: string) =>
  pattern.includes("*") ? wildcard(pattern, specifier) : pattern === specifier ? "" : undefined;

/** An exact pattern before all others, then the longest prefix, as TypeScript has it. */
const literalLength = (pattern: string) =>
  pattern.includes("*") ? pattern.indexOf("*") : Number.POSITIVE_INFINITY;

/** Its own, and those of the projects it references: the outermost config of an app is often nothing but a list. */
function mappingsOf(tree: Tree, path: string): Mapping[] {
  const references = readJson(tree, path, config)?.references ?? [];
  const projects = references.flatMap((reference) => {
    const place = join(folderOf(path), reference.path);
    return place === undefined ? [] : [place.endsWith(".json") ? place : within(place, "tsconfig.json")];
  });
  // A referenced project in a folder of its own is found from the files in that folder.
  const beside = projects.filter((project) => folderOf(project) === folderOf(path));
  return [path, ...beside].map((one) => mappingOf(tree, one, MAX_DEPTH));
}

function mappingOf(tree: Tree, path: string, depth: number): Mapping {
  const { extends: bases = [], compilerOptions: own = {} } = readJson(tree, path, config) ?? {};
  const folder = folderOf(path);
  let mapping: Mapping = {};
  for (const base of depth > 0 ? bases : []) {
    const found = basePath(tree, path, base);
    if (found !== undefined) mapping = { ...mapping, ...mappingOf(tree, found, depth - 1) };
  }
  const local = (text: string) => text.replace(/^\$\{configDir\}\/?/, "./");
  const baseUrl = own.baseUrl === undefined ? mapping.baseUrl : join(folder, local(own.baseUrl));
  if (!own.paths) return { ...mapping, baseUrl };
  const paths = Object.fromEntries(Object.entries(own.paths).map(([k, places]) => [k, places.map(local)]));
  return { baseUrl, paths, pathsFrom: baseUrl ?? folder };
}

function basePath(tree: Tree, path: string, base: string): string | undefined {
  const candidates = base.startsWith(".") ? [join(folderOf(path), base)] : packageBase(tree, path, base);
  return candidates
    .flatMap((one) => (one === undefined ? [] : [one, `${one}.json`, within(one, "tsconfig.json")]))
    .find((one) => one.endsWith(".json") && tree.has(one));
}

function packageBase(tree: Tree, path: string, base: string): string[] {
  const { name, subpath } = splitPackage(base);
  const folder = packageFolder(tree, path, name);
  if (folder === undefined) return [];
  return subpath === "." ? [folder] : [within(folder, subpath), ...entriesOf(tree, folder, subpath)];
}

/** `@scope/pkg/a/b` → `@scope/pkg`, `a/b`. */
export function splitPackage(specifier: string): { name: string; subpath: string } {
  const parts = specifier.split("/");
  const name = parts.splice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  return { name, subpath: parts.join("/") || "." };
}
