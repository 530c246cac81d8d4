/** Settings and open folders as the editor has them now. */
import { realpathSync } from "node:fs";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { WorkspaceFolder } from "./locate-file.ts";
import type { Server } from "./server.ts";
import { readSettings, type Settings } from "./settings.ts";

/** @param scope the document, or language, that may have settings of its own */
export const settings = (scope?: vscode.ConfigurationScope): Settings =>
  readSettings(vscode.workspace.getConfiguration("dhi", scope));

export const serverOf = ({ serverUrl, token }: Settings): Server => ({ url: serverUrl, token });

/**
 * Where the setting stands it is changed: a workspace that has one of its own is not overruled for all others.
 *
 * @param value `undefined` takes it away there
 */
export async function changeSetting(key: string, value: unknown, languageId?: string): Promise<void> {
  const scope = languageId === undefined ? undefined : { languageId };
  const config = vscode.workspace.getConfiguration("dhi", scope);
  const found = config.inspect(key);
  const own = languageId === undefined ? found?.workspaceValue : found?.workspaceLanguageValue;
  const target = own === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await config.update(key, value, target, languageId !== undefined);
}

/** Whether a language has a value of its own, which then counts there. */
export function isSetFor(key: string, languageId: string): boolean {
  const found = vscode.workspace.getConfiguration("dhi", { languageId }).inspect(key);
  return found?.globalLanguageValue !== undefined || found?.workspaceLanguageValue !== undefined;
}

export const openFolders = (): WorkspaceFolder[] =>
  (vscode.workspace.workspaceFolders ?? []).map(({ name, uri: { fsPath } }) => ({
    name,
    path: fsPath,
    realPath: realPath(fsPath),
  }));

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Deleted under the editor's feet.
    return path;
  }
}
