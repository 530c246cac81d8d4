/** VS Code's messages, in words alone. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";

/** @returns which of the labels was taken */
export const say = (message: string, ...labels: string[]): Thenable<string | undefined> =>
  vscode.window.showInformationMessage(withoutLinks(message), ...labels);

/** As {@link say}, for what went wrong. */
export const sayError = (message: string, ...labels: string[]): Thenable<string | undefined> =>
  vscode.window.showErrorMessage(withoutLinks(message), ...labels);

/**
 * VS Code makes a link of `[words](command:…)` in messages and progress, and a click runs any command so named: the name of
 * a file in somebody's repository, or words of a server, must not become one.
 */
export const withoutLinks = (text: string): string => text.replaceAll("](", "] (");
