/** Which workspace a request is about, and which path in it. Server and indexer understand it the same way. */
import { HttpError } from "./http-error.ts";
import { toWorkspacePath } from "./workspace-path.ts";

export interface NamedRoots {
  readonly name: string;
  /** Its folder in absolute forms: as configured, and without symbolic links. */
  readonly roots: readonly string[];
}

/** What a request says of it. */
export interface AskedPlace {
  /** By name; may be left out when there is one workspace, or when an absolute path tells which. */
  readonly workspace?: string | undefined;
  /** Relative to the workspace, or absolute inside it; without one the workspace itself. */
  readonly path?: string | undefined;
  /** What the request calls the path, for the message. */
  readonly field?: string;
}

export interface Place<W> {
  readonly workspace: W;
  /** Relative to it with `/`; `""` is the workspace itself. */
  readonly path: string;
}

/**
 * @param workspaces at least one; none lies inside another
 * @throws {HttpError} 404 `no_such_workspace`, 400 `outside_workspace`, 400 `workspace_needed`; each names the choices
 */
export function chooseWorkspace<W extends NamedRoots>(
  workspaces: readonly W[],
  { workspace: name, path = ".", field = "path" }: AskedPlace,
): Place<W> {
  const asked = name === undefined ? workspaces : workspaces.filter((workspace) => workspace.name === name);
  if (!asked.length)
    throw new HttpError(404, "no_such_workspace", `no workspace "${name}" here, only ${listOf(workspaces)}`);
  const places = asked.flatMap((workspace) => {
    const inside = pathIn(workspace, path);
    return inside === undefined ? [] : [{ workspace, path: inside }];
  });
  const [place, ...others] = places;
  if (!place)
    throw new HttpError(
      400,
      "outside_workspace",
      `${field}: "${path}" lies outside the workspace${asked.length > 1 ? "s" : ""} ${listOf(asked)}`,
    );
  if (others.length)
    throw new HttpError(
      400,
      "workspace_needed",
      `several workspaces are served and none is named: ${listOf(workspaces)}`,
      "Send workspace, or an absolute path.",
    );
  return place;
}

function pathIn({ roots }: NamedRoots, path: string): string | undefined {
  for (const root of roots) {
    const inside = toWorkspacePath(root, path);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

const listOf = (workspaces: readonly NamedRoots[]): string =>
  workspaces.map(({ name }) => `"${name}"`).join(", ");
