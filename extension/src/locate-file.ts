/** Which workspace of the server a file belongs to, and its path there. */

export interface Located {
  /** Left out when the server serves one workspace, or is not known to serve several. */
  readonly workspace?: string;
  /** Relative to that workspace, with `/`. */
  readonly path: string;
  /** From the folder that is open, where that lies above the workspace: what is excluded may be named from there. Never sent. */
  readonly openPath?: string;
}

/** What the server is told of it. */
export const addressOf = ({ workspace, path }: Located): Pick<Located, "workspace" | "path"> => ({
  ...(workspace !== undefined && { workspace }),
  path,
});

export interface WorkspaceFolder {
  readonly name: string;
  /** As the editor has it, and with symbolic links resolved, as the server may have it. */
  readonly path: string;
  readonly realPath: string;
}

export interface ServedWorkspace {
  readonly name: string;
  readonly path: string;
  /** It is a folder on this machine, so that paths can be compared; in a container it is not. */
  readonly isHere: boolean;
}

/**
 * @param file absolute
 * @param folders open in the editor, in its order
 * @param served what the server says it serves; `undefined` while it has not been asked
 * @returns `undefined` when the file lies outside the open folders, or the server serves another place
 */
export function locateFile(
  file: string,
  folders: readonly WorkspaceFolder[],
  served: readonly ServedWorkspace[] | undefined,
): Located | undefined {
  const folder = longestFirst(folders).find((f) => relativeTo(f.path, file) !== undefined);
  const inFolder = folder && relativeTo(folder.path, file);
  if (!folder || !inFolder) return undefined;
  if (!served?.length) return folder === folders[0] ? { path: inFolder } : undefined;

  const named = (workspace: ServedWorkspace, path: string): Located => ({
    ...(served.length > 1 && { workspace: workspace.name }),
    path,
    ...(inFolder.length > path.length && { openPath: inFolder }),
  });
  const realFile = `${folder.realPath}/${inFolder}`;
  // Where the file really is counts first: a linked folder may lie in one workspace and lead to another.
  for (const form of [realFile, file]) {
    for (const workspace of longestFirst(served)) {
      const path = relativeTo(workspace.path, form);
      if (path) return named(workspace, path);
    }
  }
  const elsewhere = served.filter((workspace) => !workspace.isHere);
  const sameName = elsewhere.find((workspace) => workspace.name === folder.name);
  if (sameName) return named(sameName, inFolder);
  const [only] = elsewhere;
  return only && served.length === 1 && folder === folders[0] ? named(only, inFolder) : undefined;
}

/** Of folders inside each other the inner one counts. */
const longestFirst = <T extends { readonly path: string }>(places: readonly T[]): T[] =>
  [...places].sort((a, b) => b.path.length - a.path.length);

/** @returns `undefined` when `file` does not lie below `folder` */
export function relativeTo(folder: string, file: string): string | undefined {
  const [above, below] = [slashes(folder).replace(/\/+$/, ""), slashes(file)];
  return below.startsWith(`${above}/`) && below.length > above.length + 1
    ? below.slice(above.length + 1)
    : undefined;
}

/** Windows: `C:\x` and `c:/x` are one folder. On other systems a backslash is part of a name, and no drive matches. */
const slashes = (path: string): string =>
  /^[a-z]:[\\/]/i.test(path)
    ? path.replaceAll("\\", "/").replace(/^[A-Z]/, (drive) => drive.toLowerCase())
    : path;
