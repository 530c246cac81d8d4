/** Where a file that the server names is on this machine. */
import { existsSync } from "node:fs";
import type { ServedWorkspace, WorkspaceFolder } from "../locate-file.ts";

/**
 * @param file as the server names it: its workspace is left out when there is one
 * @returns the first place that exists; `undefined` when the server's files are not those of this machine
 */
export function sourceFile(
  file: { readonly workspace?: string; readonly path: string },
  folders: readonly WorkspaceFolder[],
  served: readonly ServedWorkspace[],
): string | undefined {
  const workspaces = served.filter(({ name }) => file.workspace === undefined || name === file.workspace);
  const named = folders.filter(({ name }) => workspaces.some((workspace) => workspace.name === name));
  const places = [...workspaces.filter(({ isHere }) => isHere), ...named, ...folders];
  return places.map(({ path }) => `${path}/${file.path}`).find((path) => existsSync(path));
}
