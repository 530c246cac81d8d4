/** Paths of the index: relative, with `/`, the root is `""`. */
import { posix } from "node:path";
import type { Tree } from "../tree.ts";

export const folderOf = (path: string): string => {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
};

export const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** @returns `undefined` when it leads out of the workspace */
export function join(folder: string, inner: string): string | undefined {
  const path = posix.join(folder === "" ? "." : folder, inner).replace(/\/$/, "");
  if (path === ".") return "";
  return path === ".." || path.startsWith("../") || path.startsWith("/") ? undefined : path;
}

export const within = (folder: string, inner: string): string =>
  folder === "" ? inner : `${folder}/${inner}`;

/** The folder itself, then the one around it, up to the root. */
export function upwards(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== ""; ) {
    at = folderOf(at);
    folders.push(at);
  }
  return folders;
}

/** The nearest file of one of these names, from the folder upwards. */
export function nearest(tree: Tree, folder: string, ...names: readonly string[]): string | undefined {
  for (const at of upwards(folder)) {
    const found = names.map((name) => within(at, name)).find(tree.has);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Folders that a workspace pattern names: `packages/*`, `apps/**`, `core`. `**` goes two levels deep. */
export function expand(tree: Tree, folder: string, pattern: string): string[] {
  let found = [folder];
  for (const part of pattern.replace(/^\.\/|\/$/g, "").split("/")) {
    if (part === ".." || part === "" || part.startsWith("!")) return [];
    if (part === ".") continue;
    const inside = (at: string) => tree.entries(at).folders;
    if (part === "**") found = found.flatMap((at) => inside(at).flatMap((one) => [one, ...inside(one)]));
    else if (part.includes("*")) {
      const matches = new RegExp(`^${part.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
      found = found.flatMap((at) => inside(at).filter((one) => matches.test(fileName(one))));
    } else found = found.map((at) => within(at, part));
  }
  return found;
}
