/** Which files the server serves, by what it last said of itself. */
import { existsSync } from "node:fs";
import type { StatusResponse } from "@dhi/core/protocol";
import type * as vscode from "vscode";
import { openFolders } from "./editor-settings.ts";
import { type IndexPlan, planIndex } from "./index-plan.ts";
import { type Located, locateFile, type ServedWorkspace } from "./locate-file.ts";

export interface ServedPlaces {
  readonly served: () => readonly ServedWorkspace[] | undefined;
  readonly locate: (uri: vscode.Uri) => Located | undefined;
  readonly indexPlan: () => IndexPlan;
  /** An error in between does not change which files belong where, so it is not told here. */
  heard(status: StatusResponse | undefined): void;
}

export function createServedPlaces(): ServedPlaces {
  let workspaces: StatusResponse["workspaces"] | undefined;
  const served = () => workspaces?.map(({ name, path }) => ({ name, path, isHere: existsSync(path) }));
  return {
    served,
    locate: ({ scheme, fsPath }) =>
      scheme === "file" ? locateFile(fsPath, openFolders(), served()) : undefined,
    indexPlan: () => planIndex(openFolders(), served()),
    heard(status) {
      workspaces = status?.workspaces;
    },
  };
}
