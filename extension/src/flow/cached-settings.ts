/** Settings per keystroke: reading them takes VS Code longer than all the rest of the work, and they hardly ever change. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { settings } from "../editor-settings.ts";
import type { Settings } from "../settings.ts";

export interface CachedSettings extends vscode.Disposable {
  /** @param document whose language or folder may have settings of its own */
  of(document?: vscode.TextDocument): Settings;
}

interface Known {
  readonly languageId: string;
  readonly settings: Settings;
}

export function createCachedSettings(): CachedSettings {
  /** By language and folder, which are all that a value may depend on, and by document, which is found faster. */
  let cache = new Map<string, Settings>();
  let ofDocument = new WeakMap<vscode.TextDocument, Known>();
  const forget = () => {
    cache = new Map();
    ofDocument = new WeakMap();
  };
  const changes = [
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("dhi")) forget();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
  ];
  return {
    of(document) {
      const known = document && ofDocument.get(document);
      // A document may get another language.
      if (known && known.languageId === document.languageId) return known.settings;
      const folder = document && vscode.workspace.getWorkspaceFolder(document.uri);
      const key = `${document?.languageId ?? ""} ${folder?.uri.toString() ?? ""}`;
      const found = cache.get(key) ?? settings(document);
      cache.set(key, found);
      if (document) ofDocument.set(document, { languageId: document.languageId, settings: found });
      return found;
    },
    dispose: () => vscode.Disposable.from(...changes).dispose(),
  };
}
