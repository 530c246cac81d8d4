/** Paths on the wire and in the index are relative to the workspace, with `/` on every platform. */
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * @param path as a client sent it: relative, or absolute inside the workspace
 * @returns the relative path, or `undefined` when it lies outside
 */
export function toWorkspacePath(workspace: string, path: string): string | undefined {
  const native = sep === "\\" ? path : path.replaceAll("\\", "/");
  const inside = relative(workspace, resolve(workspace, native));
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined;
  return inside.split(sep).join("/");
}
