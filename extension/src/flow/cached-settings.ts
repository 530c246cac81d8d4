/** Settings per keystroke: reading them takes VS Code longer than all the rest of the work, and they hardly ever change. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { settings } from "../editor-settings.ts";
import type { Settings } from "../settings.ts";

export interface CachedSettings extends vscode.Disposable {
  /** @param document whose language or folder may have settings of its own */
  of(document?: vscode.TextDocument): Settings;
}

export function createCachedSettings(): CachedSettings {
  const cache = new Map<string, Settings>();
  const changes = [
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("dhi")) cache.clear();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => cache.clear()),
  ];
  return {
    of(document) {
      const folder = document && vscode.workspace.getWorkspaceFolder(document.uri);
      // Language and folder are all that a value may depend on.
      const key = `${document?.languageId ?? ""} ${folder?.uri.toString() ?? ""}`;
      const known = cache.get(key) ?? settings(document);
      cache.set(key, known);
      return known;
    },
    dispose: () => vscode.Disposable.from(...changes).dispose(),
  };
}
