/** All workspaces of this server, and which of them a request means. */
import { type AskedPlace, chooseWorkspace, type Place } from "@dhi/core/choose-workspace";
import { HttpError } from "@dhi/core/http-error";
import type { Workspace } from "./workspace.ts";

export interface Workspaces {
  /** In the order of the settings; at least one. */
  readonly all: readonly Workspace[];
  /**
   * The workspace that a request means, by its `workspace` or by an absolute path, and the path in it. Without a path it
   * is the workspace itself, `""`.
   *
   * @throws {HttpError} 404 `no_such_workspace`, 400 `outside_workspace`, 400 `workspace_needed`
   */
  placeOf(asked: AskedPlace): Place<Workspace>;
  /** The same for a file. @throws {HttpError} also 400 `not_a_file` for the workspace itself */
  fileOf(asked: AskedPlace): Place<Workspace>;
  /** The place as the indexer is asked for it. */
  atIndexer(place: Place<Workspace>): IndexerPlace;
}

export interface IndexerPlace {
  /** `undefined` for the only workspace: its name may come from git, and then the indexer knows it first. */
  readonly workspace: string | undefined;
  readonly path: string;
}

export function createWorkspaces(all: readonly Workspace[]): Workspaces {
  const placeOf = (asked: AskedPlace) => chooseWorkspace(all, asked);
  return {
    all,
    placeOf,
    atIndexer: ({ workspace, path }) => ({
      workspace: all.length > 1 ? workspace.name : undefined,
      path: path || ".",
    }),
    fileOf(asked) {
      const place = placeOf(asked);
      if (place.path !== "") return place;
      throw new HttpError(
        400,
        "not_a_file",
        `${asked.field ?? "path"}: "${asked.path}" is the workspace itself`,
      );
    },
  };
}
