/** What "Dhi: Index Workspace" indexes: of the folders that are open, those that the server serves. */
import { relativeTo, type ServedWorkspace, type WorkspaceFolder } from "./locate-file.ts";

export interface IndexTarget {
  /** Left out when the server serves one workspace, or is not known to serve several. */
  readonly workspace?: string;
  /** Relative to the workspace, with `/`; `.` is all of it. */
  readonly folder: string;
}

export interface IndexPlan {
  /** Each once, in the order of the open folders. */
  readonly targets: readonly IndexTarget[];
  /** Names of open folders of which the server serves nothing. */
  readonly notServed: readonly string[];
}

/**
 * @param folders open in the editor, in its order
 * @param served what the server says it serves; `undefined` while it has not been asked: then it is told to index what it has
 */
export function planIndex(
  folders: readonly WorkspaceFolder[],
  served: readonly ServedWorkspace[] | undefined,
): IndexPlan {
  if (!served?.length || (served.length === 1 && !folders.length))
    return { targets: [{ folder: "." }], notServed: [] };
  const targets = new Map<string, IndexTarget>();
  const notServed: string[] = [];
  for (const folder of folders) {
    const own = servedIn(folder, served, folder === folders[0]);
    if (!own.length) notServed.push(folder.name);
    for (const target of own) targets.set(`${target.workspace ?? ""}:${target.folder}`, target);
  }
  return { targets: [...targets.values()], notServed };
}

/** A folder may be a workspace, lie inside one, or hold several. */
function servedIn(
  { name, path, realPath }: WorkspaceFolder,
  served: readonly ServedWorkspace[],
  isFirst: boolean,
): IndexTarget[] {
  const target = (workspace: ServedWorkspace, folder: string): IndexTarget =>
    served.length > 1 ? { workspace: workspace.name, folder } : { folder };
  const below = (folder: string, of: string) => relativeTo(of, `${folder}/.`)?.replace(/\/\.$/, "");
  const here = served.flatMap((workspace) => {
    const inside = below(realPath, workspace.path) ?? below(path, workspace.path);
    if (inside !== undefined) return [target(workspace, inside)];
    return (below(workspace.path, realPath) ?? below(workspace.path, path)) ? [target(workspace, ".")] : [];
  });
  if (here.length) return here;
  const elsewhere = served.filter(({ isHere }) => !isHere);
  const [sameName] = elsewhere.filter((workspace) => workspace.name === name);
  if (sameName) return [target(sameName, ".")];
  return isFirst && served.length === 1 ? elsewhere.map((workspace) => target(workspace, ".")) : [];
}
