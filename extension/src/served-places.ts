/** Which files the server serves, by what it last said of itself. */
import { existsSync } from "node:fs";
import type { StatusResponse } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { openFolders } from "./editor-settings.ts";
import { type IndexPlan, planIndex } from "./index-plan.ts";
import { type Located, locateFile, type ServedWorkspace } from "./locate-file.ts";

export interface ServedPlaces extends vscode.Disposable {
  readonly served: () => readonly ServedWorkspace[] | undefined;
  /** Asked per keystroke: the disk was asked before. */
  readonly locate: (uri: vscode.Uri) => Located | undefined;
  readonly indexPlan: () => IndexPlan;
  /** An error in between does not change which files belong where, so it is not told here. */
  heard(status: StatusResponse | undefined): void;
}

export function createServedPlaces(): ServedPlaces {
  let folders = openFolders();
  let served: readonly ServedWorkspace[] | undefined;
  const changes = vscode.workspace.onDidChangeWorkspaceFolders(() => {
    folders = openFolders();
  });
  return {
    served: () => served,
    locate: ({ scheme, fsPath }) => (scheme === "file" ? locateFile(fsPath, folders, served) : undefined),
    indexPlan: () => planIndex(folders, served),
    heard(status) {
      served = status?.workspaces.map(({ name, path }) => ({ name, path, isHere: existsSync(path) }));
    },
    dispose: () => changes.dispose(),
  };
}
