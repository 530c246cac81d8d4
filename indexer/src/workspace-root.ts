/** The folder to index, made sure of before anything is built on it. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { relative, sep } from "node:path";

/** The workspace cannot be used; the message says why and what to set. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
}

/**
 * @returns its real path
 * @throws {WorkspaceError}
 */
export function workspaceRoot(workspace: string): string {
  try {
    const root = realpathSync(workspace);
    if (!statSync(root).isDirectory())
      throw new WorkspaceError(`WORKSPACE=${workspace} is a file; it must be a folder`);
    accessSync(root, constants.R_OK | constants.X_OK);
    return root;
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw new WorkspaceError(
      code === "ENOENT" || code === "ENOTDIR"
        ? `WORKSPACE=${workspace} does not exist`
        : `WORKSPACE=${workspace} cannot be read (${code ?? error})`,
    );
  }
}

/**
 * @param home where Dhi keeps its state; exists
 * @returns its place inside the workspace, or `undefined` when it lies elsewhere
 */
export function stateFolderIn(root: string, home: string): string | undefined {
  const path = relative(root, realpathSync(home)).split(sep).join("/");
  if (path === ".." || path.startsWith("../") || /^([a-z]:)?\//i.test(path)) return undefined;
  // The workspace itself as home: of it, only the index is ours.
  return path || "index";
}
