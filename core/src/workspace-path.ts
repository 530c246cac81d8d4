/** Paths on the wire and in the index are relative to the workspace, with `/` on every platform. */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * @param path as a client sent it: relative, or absolute inside the workspace
 * @returns the relative path, `""` for the workspace itself, or `undefined` when it lies outside
 */
export function toWorkspacePath(workspace: string, path: string): string | undefined {
  // A drive of another system, or a URL: what would be a relative path here is not meant as one.
  if (sep === "/" && /^([a-z]:[\\/]|[a-z][a-z\d+.-]*:\/\/)/i.test(path)) return undefined;
  const native = sep === "\\" ? path : path.replaceAll("\\", "/");
  const inside = relative(workspace, resolve(workspace, native));
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined;
  return inside.split(sep).join("/");
}

/** @returns without symbolic links, or as it is when it cannot be looked at */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
