/** File names that are not UTF-8. Node shows them with U+FFFD for what it cannot read, so they can be seen and not opened. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** A name that is not UTF-8 reaches us with replacement characters in it, and no call finds it by that name. */
export const isReplaced = (path: string): boolean => path.includes("\uFFFD");

/** @returns the path, or the folder above its first name that nobody can ask for */
export function sayablePart(path: string): string {
  if (!isReplaced(path)) return path;
  const names = path.split("/");
  return names.slice(0, names.findIndex(isReplaced)).join("/");
}

/** @returns whether something lies there, under a name that only reads like it */
export function isUnsayable(root: string, path: string): boolean {
  if (!isReplaced(path)) return false;
  const above = sayablePart(path);
  const name = path.slice(above ? above.length + 1 : 0).split("/")[0] ?? "";
  try {
    return readdirSync(join(root, above)).includes(name);
  } catch {
    return false;
  }
}
